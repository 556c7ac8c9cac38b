import { z } from 'zod'
import { rolesWith } from './people.ts'
import type { Role } from './people.ts'

/** The events that people and webhooks can be notified about. */
export const notificationEvents = [
  'release.submitted',
  'release.question',
  'release.answer',
  'release.decided',
  'release.revoked',
  'name.transferred',
  'agent.alert',
  'backup.failed',
] as const
export type NotificationEvent = (typeof notificationEvents)[number]

/** The event of the test button; it can't be subscribed to. */
export const testEvent = 'webhook.test'

/** The e-mail with the code that verifies an address; it can't be subscribed to. */
export const verifyEvent = 'mail.verify'

/** Everything that is delivered. */
export const deliveryEvents = [...notificationEvents, testEvent, verifyEvent] as const

/** Who can get e-mail about an event: the owners of the release or the former owner of the name, or people with these roles. */
const audiences: Record<NotificationEvent, 'owners' | readonly Role[]> = {
  'release.submitted': rolesWith.reviewer,
  'release.question': 'owners',
  'release.answer': rolesWith.reviewer,
  'release.decided': 'owners',
  'release.revoked': 'owners',
  'name.transferred': 'owners',
  'agent.alert': rolesWith.administrator,
  'backup.failed': rolesWith.administrator,
}

export const isForOwners = (event: NotificationEvent): boolean => audiences[event] === 'owners'

/** The events that a person with this role can choose; those of owners are about their own releases. */
export function eventsFor(role: Role): NotificationEvent[] {
  return notificationEvents.filter((event) => {
    const audience = audiences[event]
    return audience === 'owners' || audience.includes(role)
  })
}

export const maxMailAddressCharacters = 254
export const mailAddressSchema = z.email().max(maxMailAddressCharacters)

export const eventListSchema = z
  .array(z.enum(notificationEvents))
  .max(notificationEvents.length)
  .transform((events) => notificationEvents.filter((event) => events.includes(event)))
