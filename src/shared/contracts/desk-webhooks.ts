import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { texts } from '../validation.texts.ts'
import { successSchema } from './common.ts'
import { idParamsSchema, instantSchema } from './desk-common.ts'
import { deliveryEvents, eventListSchema, notificationEvents } from './notifications.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

export const maxWebhookUrlCharacters = 2000
/** A user name or password would be readable again, unlike the secret. */
export const webhookUrlSchema = z
  .url({ protocol: /^https?$/, error: texts.url })
  .max(maxWebhookUrlCharacters)
  .refine((value) => {
    const url = URL.parse(value)
    return url !== null && url.username === '' && url.password === '' && url.hash === ''
  }, texts.webhookUrl)

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

const webhookSchema = z
  .strictObject({
    id: z.int(),
    url: z.string(),
    events: z.array(z.enum(notificationEvents)),
    createdAt: instantSchema,
    /** Null while it is enabled. */
    disabledAt: instantSchema.nullable(),
    /** Deliveries that are still being tried. */
    pending: z.int(),
    /** The status of the latest delivery that is no longer pending; null before the first. */
    lastStatus: z.enum(deliveryStatuses).nullable(),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof webhookSchema>

/** One notification to one recipient. */
export const deliverySchema = z
  .strictObject({
    id: z.int(),
    /** The same in every attempt: the header `webhook-id`. */
    messageId: z.string(),
    event: z.enum(deliveryEvents),
    status: z.enum(deliveryStatuses),
    createdAt: instantSchema,
    attempts: z.int(),
    /** The latest attempt; null before the first. */
    attemptedAt: instantSchema.nullable(),
    durationMs: z.int().nullable(),
    /** The status code of the latest answer; null without an answer. */
    answerStatus: z.int().nullable(),
    /** Why the latest attempt failed: the beginning of the answer, or what went wrong. */
    problem: z.string().nullable(),
    /** The next attempt; null after the last one. */
    nextAt: instantSchema.nullable(),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof deliverySchema>

const webhookFields = { url: webhookUrlSchema, events: eventListSchema.refine((events) => events.length > 0) }

const webhookChangeSchema = z.strictObject({ ...webhookFields, enabled: z.boolean() }).partial()
export type WebhookChange = z.output<typeof webhookChangeSchema>

/** Webhook endpoints, for administrators. */
export const deskWebhookRoutes = {
  listWebhooks: route('GET /desk/api/webhooks', 'administrator', {
    summary: 'List the webhooks',
    reply: reply(z.strictObject({ items: z.array(webhookSchema) }), 'The webhooks'),
  }),
  createWebhook: route('POST /desk/api/webhooks', 'administrator', {
    summary: 'Create a webhook; the response contains its secret, which is never shown again',
    body: json(z.strictObject(webhookFields)),
    reply: reply(z.strictObject({ webhook: webhookSchema, secret: z.string() }), 'The webhook', 201),
    errors: ['QUOTA_EXCEEDED'],
  }),
  updateWebhook: route('PATCH /desk/api/webhooks/{id}', 'administrator', {
    summary: 'Change the URL or events of a webhook, or enable or disable it',
    params: idParamsSchema,
    body: json(webhookChangeSchema),
    reply: reply(webhookSchema, 'The webhook'),
    errors: ['NOT_FOUND'],
  }),
  deleteWebhook: route('DELETE /desk/api/webhooks/{id}', 'administrator', {
    summary: 'Delete a webhook with its pending deliveries and its delivery log',
    params: idParamsSchema,
    reply: reply(successSchema, 'Deleted'),
    errors: ['NOT_FOUND'],
  }),
  rotateWebhookSecret: route('POST /desk/api/webhooks/{id}/secret', 'administrator', {
    summary: 'Create a new secret, which is never shown again; the former one also signs for 24 hours',
    params: idParamsSchema,
    reply: reply(z.strictObject({ secret: z.string() }), 'The new secret', 201),
    errors: ['NOT_FOUND'],
  }),
  testWebhook: route('POST /desk/api/webhooks/{id}/test', 'administrator', {
    summary: 'Send a test event; its result is in the delivery log',
    params: idParamsSchema,
    reply: reply(successSchema, 'The event is queued'),
    errors: ['INVALID_TRANSITION', 'NOT_FOUND'],
  }),
  listWebhookDeliveries: route('GET /desk/api/webhooks/{id}/deliveries', 'administrator', {
    summary: 'List the latest 100 deliveries of a webhook, newest first',
    params: idParamsSchema,
    reply: reply(z.strictObject({ items: z.array(deliverySchema) }), 'The deliveries'),
    errors: ['NOT_FOUND'],
  }),
}
