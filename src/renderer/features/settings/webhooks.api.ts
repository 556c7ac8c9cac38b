import { queryOptions } from '@tanstack/react-query'
import { deskNotificationRoutes } from '../../../shared/contracts/desk-notifications.ts'
import { deskWebhookRoutes } from '../../../shared/contracts/desk-webhooks.ts'
import type { Delivery } from '../../../shared/contracts/desk-webhooks.ts'
import { call } from '../../lib/server/client.ts'
import { withBody } from '../../lib/server/route-query.ts'
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

export const useCreateWebhook = () => useChange(key, withBody(deskWebhookRoutes.createWebhook))

export const useUpdateWebhook = (id: number) =>
  useChange(key, withBody(deskWebhookRoutes.updateWebhook, { id }))

export const useDeleteWebhook = (id: number) =>
  useChange(key, () => call(deskWebhookRoutes.deleteWebhook, { params: { id } }))

export const useRotateSecret = (id: number) =>
  useChange(key, () => call(deskWebhookRoutes.rotateWebhookSecret, { params: { id } }))

export const useTestWebhook = (id: number) =>
  useChange(key, () => call(deskWebhookRoutes.testWebhook, { params: { id } }))
