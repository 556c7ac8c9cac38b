import type { deskWebhookRoutes } from '../../../shared/contracts/desk-webhooks.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Webhooks } from './webhooks.service.ts'

export function webhookHandlers(webhooks: Webhooks): Handlers<typeof deskWebhookRoutes> {
  return {
    listWebhooks: () => ({ items: webhooks.listWebhooks() }),
    createWebhook: ({ body }) => webhooks.createWebhook(body),
    updateWebhook: ({ params, body }) => webhooks.updateWebhook(params.id, body),
    deleteWebhook: ({ params }) => webhooks.deleteWebhook(params.id),
    rotateWebhookSecret: async ({ params }) => ({ secret: await webhooks.rotateSecret(params.id) }),
    testWebhook: ({ params }) => webhooks.testWebhook(params.id),
    listWebhookDeliveries: ({ params }) => ({ items: webhooks.listDeliveries(params.id) }),
  }
}
