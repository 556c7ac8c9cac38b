import type { ShellState } from '../shared/services-messages.ts'
import { texts } from './app.texts.ts'

type ServiceName = ShellState['services'][number]['name']

const { status } = texts

/** One line per service, such as `Registry: running`. */
export function describeServices(state: ShellState): string[] {
  return (['registry', 'dashboard'] as const).map((name) =>
    status.line(status.names[name], statusOf(name, state)),
  )
}

function statusOf(name: ServiceName, state: ShellState): string {
  const service = state.services.find((candidate) => candidate.name === name)
  if (service === undefined) return status.phases[state.phase]
  if (service.state !== 'failed') return service.state
  const taken = state.taken.find((candidate) => candidate.service === name)
  return taken === undefined ? status.phases.failed : status.portInUse(taken.port)
}
