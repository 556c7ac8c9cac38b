import { queryOptions } from '@tanstack/react-query'
import { deskNotificationRoutes } from '../../../shared/contracts/desk-notifications.ts'
import { deskWebhookRoutes } from '../../../shared/contracts/desk-webhooks.ts'
import type { Delivery } from '../../../shared/contracts/desk-webhooks.ts'
import type { NotificationEvent } from '../../../shared/contracts/notifications.ts'
import { call } from '../../lib/server/client.ts'
import { useChange } from '../../lib/server/use-change.ts'

/** Milliseconds between two looks at the deliveries, while some of them are pending. */
const lookEveryMs = 2000

const key = ['webhooks'] as const

export const webhooksQuery = queryOptions({
  queryKey: [...key, 'list'],
  queryFn: ({ signal }) => call(deskWebhookRoutes.listWebhooks, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ pending }) => pending > 0) === true ? lookEveryMs : false,
})

/** The deliveries of a webhook; those of e-mail for null. */
export const deliveriesQuery = (id: number | null) =>
  queryOptions<{ items: (Delivery & { person?: string })[] }>({
    queryKey: [...key, 'deliveries', id],
    queryFn: ({ signal }) =>
      id === null
        ? call(deskNotificationRoutes.listMailDeliveries, { signal })
        : call(deskWebhookRoutes.listWebhookDeliveries, { params: { id }, signal }),
    refetchInterval: ({ state }) => (isAnyPending(state.data?.items ?? []) ? lookEveryMs : false),
  })

const isAnyPending = (deliveries: readonly Delivery[]): boolean =>
  deliveries.some(({ status }) => status === 'pending')

export interface WebhookFields {
  url: string
  events: NotificationEvent[]
}

export function useCreateWebhook() {
  return useChange(key, (body: WebhookFields) => call(deskWebhookRoutes.createWebhook, { body }))
}

export function useUpdateWebhook(id: number) {
  return useChange(key, (body: Partial<WebhookFields> & { enabled?: boolean }) =>
    call(deskWebhookRoutes.updateWebhook, { params: { id }, body }),
  )
}

export function useDeleteWebhook(id: number) {
  return useChange(key, () => call(deskWebhookRoutes.deleteWebhook, { params: { id } }))
}

export function useRotateSecret(id: number) {
  return useChange(key, () => call(deskWebhookRoutes.rotateWebhookSecret, { params: { id } }))
}

export function useTestWebhook(id: number) {
  return useChange(key, () => call(deskWebhookRoutes.testWebhook, { params: { id } }))
}
