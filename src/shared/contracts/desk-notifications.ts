import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { texts } from '../validation.texts.ts'
import { instantSchema } from './desk-common.ts'
import { deliverySchema } from './desk-webhooks.ts'
import { eventListSchema, mailAddressSchema, notificationEvents } from './notifications.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

const ownNotificationsSchema = z
  .strictObject({
    /** Whether an administrator has set up e-mail. */
    isAvailable: z.boolean(),
    address: z.string().nullable(),
    /** Until then, only its code is sent to the address. */
    verifiedAt: instantSchema.nullable(),
    events: z.array(z.enum(notificationEvents)),
    /** The events that a person with this role can choose. */
    available: z.array(z.enum(notificationEvents)),
  })
  .meta({ id: 'OwnNotifications' })
export type OwnNotifications = z.infer<typeof ownNotificationsSchema>

const mailDeliverySchema = deliverySchema
  .extend({ person: z.string().describe('The name of the recipient.') })
  .meta({ id: 'MailDelivery' })
export type MailDelivery = z.infer<typeof mailDeliverySchema>

const ownReply = reply(ownNotificationsSchema, 'Your e-mail notifications')

/** E-mail notifications of every signed-in person, and their deliveries for administrators. */
export const deskNotificationRoutes = {
  getOwnNotifications: route('GET /desk/api/own/notifications', 'person', {
    summary: 'Get your e-mail notifications',
    reply: ownReply,
  }),
  setOwnAddress: route('PUT /desk/api/own/notifications/address', 'person', {
    summary: 'Save your address and mail a code to it; until it is verified, nothing else is sent to it',
    body: json(z.strictObject({ address: mailAddressSchema })),
    reply: ownReply,
    errors: ['INVALID_TRANSITION', 'QUOTA_EXCEEDED'],
  }),
  verifyOwnAddress: route('POST /desk/api/own/notifications/verify', 'person', {
    summary: 'Verify your address with the code that was mailed to it',
    body: json(
      z.strictObject({
        code: z
          .string()
          .trim()
          .regex(/^\d{8}$/, texts.mailCode),
      }),
    ),
    reply: ownReply,
    errors: ['NOT_FOUND'],
  }),
  chooseOwnEvents: route('PUT /desk/api/own/notifications/events', 'person', {
    summary: 'Choose the events that you get e-mail about',
    body: json(z.strictObject({ events: eventListSchema })),
    reply: ownReply,
    errors: ['NOT_FOUND'],
  }),
  removeOwnAddress: route('DELETE /desk/api/own/notifications/address', 'person', {
    summary: 'Remove your address and end your e-mail notifications',
    reply: ownReply,
  }),
  listMailDeliveries: route('GET /desk/api/mail/deliveries', 'administrator', {
    summary: 'List the latest 100 e-mail deliveries, newest first',
    reply: reply(z.strictObject({ items: z.array(mailDeliverySchema) }), 'The deliveries'),
  }),
}
