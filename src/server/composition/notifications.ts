import { createDeliveries, usualTiming } from '../domains/notifications/deliveries.service.ts'
import { createMailChannel, createOwnNotifications } from '../domains/notifications/mail.service.ts'
import { notificationHandlers } from '../domains/notifications/notifications.routes.ts'
import { createNotify } from '../domains/notifications/notify.service.ts'
import type { MailServer } from '../domains/notifications/send-mail.service.ts'
import { webhookHandlers } from '../domains/notifications/webhooks.routes.ts'
import { createWebhookChannel, createWebhooks } from '../domains/notifications/webhooks.service.ts'
import { logTexts } from '../operations/log.texts.ts'
import { createSealer } from '../storage/sealed-text.ts'
import type { Config, Environment } from '../settings/config.ts'
import { given, remoteDeskOf } from '../settings/settings.ts'
import type { ServerParts } from './server-parts.ts'

/** Webhooks and their deliveries, which events of the registry cause. */
export function createNotifications(parts: ServerParts) {
  const { database, live, log, signingKey, backups, local, environment } = parts
  const timing = { ...usualTiming, ...parts.deliveryTiming }
  const webhookParts = {
    database,
    sealer: createSealer(signingKey, 'webhook secrets'),
    mayBePrivate: () => live.config['webhooks.privateAddresses'] === 'allowed',
    timing,
  }
  const mailParts = {
    database,
    sealer: createSealer(signingKey, 'mail codes'),
    readServer: () => readMailServer(live.config, environment),
    publicUrl: parts.publicUrl,
    timing,
  }
  const channels = [createWebhookChannel(webhookParts), createMailChannel(mailParts)]
  const deliveries = createDeliveries(database, channels, log, timing)
  const notify = createNotify({
    database,
    deliveries,
    publicUrl: parts.publicUrl,
    deskUrl: () => `${remoteDeskOf(live.config) ?? local.url}/desk`,
    hasMail: () => mailParts.readServer() !== null,
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
    deskHandlers: {
      deskWebhooks: webhookHandlers(createWebhooks(webhookParts, deliveries)),
      deskNotifications: notificationHandlers(createOwnNotifications(mailParts, deliveries), deliveries),
    },
  }
}

/** How e-mail is sent now; null while it isn't set up. */
function readMailServer(config: Readonly<Config>, environment: Environment): MailServer | null {
  const { 'mail.host': host, 'mail.from': from } = config
  if (host === null || from === null) return null
  return {
    host,
    from,
    port: config['mail.port'],
    security: config['mail.security'],
    user: config['mail.user'],
    password: given(environment, 'SKILLDOCK_MAIL_PASSWORD'),
    passwordFile: config['mail.passwordFile'],
  }
}
