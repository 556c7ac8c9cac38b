import type { ShellState } from '../shared/services-messages.ts'

type ServiceName = ShellState['services'][number]['name']

const labels: Record<ServiceName, string> = { registry: 'Registry', dashboard: 'Desk and dashboard' }

const phaseWords: Record<ShellState['phase'], string> = {
  starting: 'starting',
  running: 'starting',
  restarting: 'starting again',
  failed: 'not running',
  stopping: 'stopping',
  stopped: 'stopped',
  attached: 'started elsewhere',
}

/** One line for each of the two services: `Registry: running`. */
export function describeServices(state: ShellState): string[] {
  return (['registry', 'dashboard'] as const).map((name) => `${labels[name]}: ${wordOf(name, state)}`)
}

function wordOf(name: ServiceName, state: ShellState): string {
  const service = state.services.find((candidate) => candidate.name === name)
  if (service === undefined) return phaseWords[state.phase]
  if (service.state !== 'failed') return service.state
  const taken = state.taken.find((candidate) => candidate.service === name)
  return taken === undefined ? 'not running' : `port ${taken.port} taken`
}

/** `3 releases wait for review`. */
export function describePending(pending: number): string {
  if (pending === 0) return 'No release waits for review'
  return pending === 1 ? '1 release waits for review' : `${pending} releases wait for review`
}
