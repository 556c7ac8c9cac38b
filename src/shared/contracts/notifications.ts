import { z } from 'zod'

/** The events that people and webhooks can be notified about. */
export const notificationEvents = [
  'release.submitted',
  'release.question',
  'release.answer',
  'release.decided',
  'release.revoked',
  'agent.alert',
  'backup.failed',
] as const
export type NotificationEvent = (typeof notificationEvents)[number]

/** The event of the test button; it can't be subscribed to. */
export const testEvent = 'webhook.test'

export const eventListSchema = z
  .array(z.enum(notificationEvents))
  .max(notificationEvents.length)
  .transform((events) => notificationEvents.filter((event) => events.includes(event)))
