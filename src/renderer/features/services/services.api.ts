import { deskServiceRoutes } from '../../../shared/contracts/desk-services.ts'
import { deskOperationRoutes } from '../../../shared/contracts/desk-settings.ts'
import type { DeskService, DeskServices } from '../../../shared/contracts/desk-services.ts'
import type { ServiceAction } from '../../../shared/contracts/desk-settings.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery } from '../../lib/server/route-query.ts'
import { useChange } from '../../lib/server/use-change.ts'
import { texts } from './services.texts.ts'

export const servicesQuery = routeQuery(['services', 'state'], deskServiceRoutes.getServices)

type ServicesKind = 'running' | 'taken' | 'failed' | 'stopped' | 'starting' | 'unknown'

/** One status with its label. */
interface ServiceStatus {
  kind: ServicesKind
  label: string
}

const { names, summary } = texts

/** One status while everything is running; otherwise one per service and problem, problems last. */
export function summarizeServices(state: DeskServices | undefined): ServiceStatus[] {
  if (state === undefined) return [{ kind: 'unknown', label: summary.unknown }]
  const { services, database, storage, checks, logProblem } = state
  const notAllRunning = services.some((service) => service.state !== 'running')
  const statuses = [
    ...(notAllRunning ? services.map(statusOf) : []),
    ...(database === 'ok' ? [] : [{ kind: 'failed', label: summary.database } as const]),
    ...(storage === 'ok' ? [] : [{ kind: 'failed', label: summary.storage } as const]),
    ...(checks.freeSpace === 'ok' ? [] : [{ kind: 'failed', label: summary.disk } as const]),
    ...(checks.helperProcesses === 'ok' ? [] : [{ kind: 'failed', label: summary.helperProcesses } as const]),
    ...(logProblem === null ? [] : [{ kind: 'failed', label: summary.log } as const]),
  ]
  if (statuses.length === 0) return [{ kind: 'running', label: summary.allRunning }]
  return statuses.toSorted((one, other) => Number(one.kind !== 'running') - Number(other.kind !== 'running'))
}

function statusOf({ name, state, portTaken }: DeskService): ServiceStatus {
  if (portTaken) return { kind: 'taken', label: summary.portInUse(names[name]) }
  return { kind: state === 'stopping' ? 'starting' : state, label: summary.state(names[name], state) }
}

/** Starts a backup; the state of the services shows its progress. */
export function useBackUpNow(onError: (error: unknown) => void) {
  return useChange(servicesQuery.queryKey, () => call(deskOperationRoutes.backUpNow), { onError })
}

interface ServiceCommand {
  name: DeskService['name']
  action: ServiceAction
}

/** Starts, stops or restarts a service. */
export function useControlService(
  onDone: (command: ServiceCommand) => void,
  onError: (error: unknown) => void,
) {
  return useChange(
    servicesQuery.queryKey,
    (params: ServiceCommand) => call(deskOperationRoutes.controlService, { params }),
    { onSuccess: (_, command) => onDone(command), onError },
  )
}
