import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskRoutes } from '../../../shared/contracts/desk.ts'
import type { DeskService, DeskServices } from '../../../shared/contracts/desk-services.ts'
import type { ServiceAction } from '../../../shared/contracts/desk-settings.ts'
import { call } from '../../lib/client.ts'

export const servicesQuery = queryOptions({
  queryKey: ['services', 'state'],
  queryFn: ({ signal }) => call(deskRoutes.getServices, { signal }),
})

export type ServicesKind = 'running' | 'failed' | 'stopped' | 'starting' | 'unknown'

const names = { registry: 'Registry', dashboard: 'Dashboard' } as const

/** Both services in one word and shape; what is not known is said to be unknown. */
export function summarizeServices(state: DeskServices | undefined): { kind: ServicesKind; words: string } {
  if (state === undefined) return { kind: 'unknown', words: 'Services unknown' }
  const other = state.services.filter((service) => service.state !== 'running')
  const broken = [
    state.database === 'ok' ? null : 'Database unavailable',
    state.storage === 'ok' ? null : 'Storage unavailable',
  ].filter((words) => words !== null)
  if (other.length === 0 && broken.length === 0) return { kind: 'running', words: 'Both services running' }
  const words = [...other.map((service) => `${names[service.name]} ${service.state}`), ...broken].join(', ')
  if (broken.length > 0 || other.some((service) => service.state === 'failed'))
    return { kind: 'failed', words }
  return { kind: other.some((service) => service.state === 'stopped') ? 'stopped' : 'starting', words }
}

interface ServiceOrder {
  name: DeskService['name']
  action: ServiceAction
}

/**
 * Starts, stops or restarts a service; what the screen says of it is read again at once. Both listeners are called
 * even where what has asked for it is not on the screen any more.
 */
export function useControlService(onDone: (order: ServiceOrder) => void, onError: (error: unknown) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (params: ServiceOrder) => call(deskRoutes.controlService, { params }),
    onSuccess: (_, order) => onDone(order),
    onError,
    onSettled: () => client.invalidateQueries({ queryKey: ['services', 'state'] }),
  })
}
