import type { ShellState } from '../shared/services-messages.ts'

type ServiceName = ShellState['services'][number]['name']

const labels: Record<ServiceName, string> = { registry: 'Registry', dashboard: 'Local services' }

const phaseLabels: Record<ShellState['phase'], string> = {
  starting: 'starting',
  running: 'starting',
  restarting: 'restarting',
  failed: 'not running',
  stopping: 'stopping',
  stopped: 'stopped',
  attached: 'run by another process',
}

/** One line per service, such as `Registry: running`. */
export function describeServices(state: ShellState): string[] {
  return (['registry', 'dashboard'] as const).map((name) => `${labels[name]}: ${statusOf(name, state)}`)
}

function statusOf(name: ServiceName, state: ShellState): string {
  const service = state.services.find((candidate) => candidate.name === name)
  if (service === undefined) return phaseLabels[state.phase]
  if (service.state !== 'failed') return service.state
  const taken = state.taken.find((candidate) => candidate.service === name)
  return taken === undefined ? 'not running' : `port ${taken.port} in use`
}

/** `3 releases to review`. */
export function describePending(pending: number): string {
  if (pending === 0) return 'No releases to review'
  return pending === 1 ? '1 release to review' : `${pending} releases to review`
}
