import { testEvent } from '../../../shared/contracts/notifications.ts'
import type { Delivery, Webhook, WebhookChange } from '../../../shared/contracts/desk-webhooks.ts'
import { DomainError } from '../../../shared/errors.ts'
import { summarize } from '../../../shared/validation.ts'
import type { Database } from '../../db/database.ts'
import { refuseUrl } from '../../outbound/outbound-request.ts'
import type { Sealer } from '../../storage/sealed-text.ts'
import type { Channel, Deliveries, DeliveryTiming } from './deliveries.service.ts'
import { texts } from './notifications.texts.ts'
import { newSecret, readSecrets, rotateSecrets } from './secrets.rules.ts'
import { sendWebhook } from './send-webhook.service.ts'
import { webhookRepository } from './webhooks.repository.ts'
import type { WebhookRow } from './webhooks.repository.ts'

const maxWebhooks = 20
/** Deliveries shown of each webhook. */
const shownDeliveries = 100

const kind = 'webhook'
export const recipientOf = (id: number): string => `${kind}/${id}`

interface WebhookParts {
  database: Database
  sealer: Sealer
  /** Whether http:// and private addresses are allowed. */
  mayBePrivate(): boolean
  timing: DeliveryTiming
}

/** Sends messages to webhooks. The answer 410 disables one, as Standard Webhooks asks. */
export function createWebhookChannel({ database, sealer, mayBePrivate, timing }: WebhookParts): Channel {
  const reading = webhookRepository(database.reader)
  const writing = webhookRepository(database.writer)

  /** Returns false if the webhook has another URL by now: the answer of the former one says nothing about it. */
  const disable = ({ id, url }: WebhookRow): Promise<boolean> =>
    database.transact(() => {
      const webhook = writing.find(id)
      if (webhook?.disabledAt !== null) return true
      if (webhook.url !== url) return false
      writing.update({ ...webhook, disabledAt: new Date(timing.now()).toISOString() })
      return true
    })

  return {
    kind,
    parallel: 4,
    async attempt({ recipient, messageId, body }, signal) {
      const id = Number(recipient.slice(kind.length + 1))
      const webhook = reading.find(id)
      if (webhook === null || webhook.disabledAt !== null) {
        return { status: 'failed', answerStatus: null, problem: texts.problem.disabled, isFinal: true }
      }
      const stored = sealer.open(webhook.secret)
      if (stored === null) {
        return { status: 'failed', answerStatus: null, problem: texts.problem.unreadableSecret }
      }
      const secrets = readSecrets(stored, timing.now()).map(({ secret }) => secret)
      const message = { url: webhook.url, secrets, messageId, body }
      const result = await sendWebhook(message, {
        mayBePrivate: mayBePrivate(),
        signal,
        now: timing.now(),
        limitMs: timing.limitMs,
      })
      return result.answerStatus === 410 ? { ...result, isFinal: await disable(webhook) } : result
    },
  }
}

/** Managing webhooks, for administrators. */
export function createWebhooks(
  { database, sealer, mayBePrivate, timing }: WebhookParts,
  deliveries: Deliveries,
) {
  const reading = webhookRepository(database.reader)
  const writing = webhookRepository(database.writer)
  const instant = (): string => new Date(timing.now()).toISOString()

  const get = (id: number, webhooks = reading): WebhookRow => {
    const found = webhooks.find(id)
    if (found === null) throw new DomainError('NOT_FOUND', texts.noWebhook(id))
    return found
  }

  const show = ({ id, url, events, createdAt, disabledAt }: WebhookRow): Webhook => ({
    id,
    url,
    events,
    createdAt,
    disabledAt,
    pending: deliveries.countPendingOf(recipientOf(id)),
    lastStatus: reading.findLastStatus(recipientOf(id)),
  })

  const assertAllowed = (url: string): void => {
    const refused = mayBePrivate() ? null : refuseUrl(new URL(url))
    if (refused === null) return
    const message = refused.problem === 'private' ? texts.privateUrl(refused.detail) : texts.insecure
    const issues = [{ path: 'url', message }]
    throw new DomainError('VALIDATION_FAILED', texts.invalid(summarize(issues)), { issues })
  }

  return {
    listWebhooks(): Webhook[] {
      database.assertAvailable()
      return reading.list().map(show)
    },

    /** Returns the secret, which is not readable again. Throws VALIDATION_FAILED or QUOTA_EXCEEDED. */
    async createWebhook(
      fields: Pick<WebhookRow, 'url' | 'events'>,
    ): Promise<{ webhook: Webhook; secret: string }> {
      assertAllowed(fields.url)
      const secret = newSecret()
      const row = { ...fields, secret: sealer.seal(secret), createdAt: instant(), disabledAt: null }
      const id = await database.transact(() => {
        if (writing.list().length >= maxWebhooks) {
          throw new DomainError('QUOTA_EXCEEDED', texts.tooManyWebhooks(maxWebhooks))
        }
        return writing.insert(row)
      })
      return { webhook: show({ id, ...row }), secret }
    },

    /** Returns a new secret; the former one also signs for 24 hours, if it can be decrypted. Throws NOT_FOUND. */
    rotateSecret(id: number): Promise<string> {
      return database.transact(() => {
        const row = get(id, writing)
        const stored = sealer.open(row.secret)
        const secret = newSecret()
        const rotated = stored === null ? secret : rotateSecrets(stored, secret, timing.now())
        writing.update({ ...row, secret: sealer.seal(rotated) })
        return secret
      })
    },

    /** Throws NOT_FOUND or VALIDATION_FAILED. */
    async updateWebhook(id: number, { url, events, enabled }: WebhookChange): Promise<Webhook> {
      if (url !== undefined) assertAllowed(url)
      const changed = await database.transact(() => {
        const former = get(id, writing)
        const disabledAt =
          enabled === undefined ? former.disabledAt : enabled ? null : (former.disabledAt ?? instant())
        const row = { ...former, url: url ?? former.url, events: events ?? former.events, disabledAt }
        writing.update(row)
        if (disabledAt !== null)
          deliveries.cancel({ recipient: recipientOf(id), problem: texts.problem.disabled })
        return row
      })
      return show(changed)
    },

    /** Throws NOT_FOUND. */
    deleteWebhook(id: number): Promise<void> {
      return database.transact(() => {
        get(id, writing)
        writing.remove(id)
        deliveries.forget(recipientOf(id))
      })
    },

    /** Throws NOT_FOUND, or INVALID_TRANSITION for a disabled webhook. */
    testWebhook(id: number): Promise<void> {
      return database.transact(() => {
        if (get(id, writing).disabledAt !== null) throw new DomainError('INVALID_TRANSITION', texts.disabled)
        deliveries.enqueue([recipientOf(id)], testEvent, { webhookId: id })
      })
    },

    /** Newest first. Throws NOT_FOUND. */
    listDeliveries(id: number): Delivery[] {
      database.assertAvailable()
      get(id)
      return deliveries.listDeliveries(recipientOf(id), shownDeliveries)
    },
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>
