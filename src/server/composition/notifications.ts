import { createDeliveries, usualTiming } from '../domains/notifications/deliveries.service.ts'
import { createNotify } from '../domains/notifications/notify.service.ts'
import { webhookHandlers } from '../domains/notifications/webhooks.routes.ts'
import { createWebhookChannel, createWebhooks } from '../domains/notifications/webhooks.service.ts'
import { logTexts } from '../operations/log.texts.ts'
import { createSealer } from '../storage/sealed-text.ts'
import type { ServerParts } from './parts.ts'

/** Webhooks and their deliveries, which events of the registry cause. */
export function createNotifications(parts: ServerParts) {
  const { database, live, log, signingKey, backups, local } = parts
  const timing = { ...usualTiming, ...parts.deliveryTiming }
  const webhookParts = {
    database,
    sealer: createSealer(signingKey, 'webhook secrets'),
    mayBePrivate: () => live.config['webhooks.privateAddresses'] === 'allowed',
    timing,
  }
  const deliveries = createDeliveries(database, [createWebhookChannel(webhookParts)], log, timing)
  const notify = createNotify({
    database,
    deliveries,
    publicUrl: parts.publicUrl,
    deskUrl: () => `${local.url}/desk`,
  })
  database.onLogging(notify.onLogged)
  backups.onFailure(() => {
    notify
      .onBackupFailed()
      .catch((error: unknown) => log.warn({ err: error }, logTexts.notificationNotQueued))
  })
  return {
    deliveries,
    onAlerts: notify.onAlerts,
    deskHandlers: { deskWebhooks: webhookHandlers(createWebhooks(webhookParts, deliveries)) },
  }
}
