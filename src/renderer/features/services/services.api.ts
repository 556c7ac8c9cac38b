import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskServiceRoutes } from '../../../shared/contracts/desk-services.ts'
import { deskOperationRoutes } from '../../../shared/contracts/desk-settings.ts'
import type { DeskService, DeskServices } from '../../../shared/contracts/desk-services.ts'
import type { ServiceAction } from '../../../shared/contracts/desk-settings.ts'
import { call } from '../../lib/server/client.ts'

export const servicesQuery = queryOptions({
  queryKey: ['services', 'state'],
  queryFn: ({ signal }) => call(deskServiceRoutes.getServices, { signal }),
})

export type ServicesKind = 'running' | 'taken' | 'failed' | 'stopped' | 'starting' | 'unknown'

/** A thing that is so, in a word and a shape. */
export interface ServiceSign {
  kind: ServicesKind
  words: string
}

const names = { registry: 'Registry', dashboard: 'Dashboard' } as const

/** Both services in one sign while all is well, else one each, trouble last; what is not known is said to be unknown. */
export function summarizeServices(state: DeskServices | undefined): ServiceSign[] {
  if (state === undefined) return [{ kind: 'unknown', words: 'Services unknown' }]
  const { services, database, storage, checks } = state
  const isOther = services.some((service) => service.state !== 'running')
  const signs = [
    ...(isOther ? services.map(signOf) : []),
    ...(database === 'ok' ? [] : [{ kind: 'failed', words: 'Database unavailable' } as const]),
    ...(storage === 'ok' ? [] : [{ kind: 'failed', words: 'Storage unavailable' } as const]),
    ...(checks.freeSpace === 'ok' ? [] : [{ kind: 'failed', words: 'Disk almost full' } as const]),
    ...(checks.helperProcesses === 'ok'
      ? []
      : [{ kind: 'failed', words: 'Uploads cannot be checked' } as const]),
  ]
  if (signs.length === 0) return [{ kind: 'running', words: 'Both services running' }]
  return signs.toSorted((one, other) => Number(one.kind !== 'running') - Number(other.kind !== 'running'))
}

function signOf({ name, state, portTaken }: DeskService): ServiceSign {
  if (portTaken) return { kind: 'taken', words: `${names[name]}: port taken` }
  return { kind: state === 'stopping' ? 'starting' : state, words: `${names[name]} ${state}` }
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
    mutationFn: (params: ServiceOrder) => call(deskOperationRoutes.controlService, { params }),
    onSuccess: (_, order) => onDone(order),
    onError,
    onSettled: () => client.invalidateQueries({ queryKey: ['services', 'state'] }),
  })
}
