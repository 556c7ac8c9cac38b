import type { Listener } from '../http/listener.ts'
import { HostError, PortError } from '../http/open-port.ts'
import { findPortState } from '../http/port-state.ts'

interface TakenPort {
  service: 'registry' | 'dashboard'
  port: number
  /** A free port near it; null if none was found. */
  suggestion: number | null
}

/** The services that failed because their port is in use or forbidden. */
export async function findTakenPorts(registry: Listener, dashboard: Listener): Promise<TakenPort[]> {
  const services = [
    { service: 'registry', listener: registry, other: dashboard },
    { service: 'dashboard', listener: dashboard, other: registry },
  ] as const
  const taken = services.filter(
    ({ listener: { state, error } }) =>
      state === 'failed' && error instanceof PortError && !(error instanceof HostError),
  )
  return Promise.all(
    taken.map(async ({ service, listener: { port }, other }) => ({
      service,
      port,
      // Null if the port has become free in the meantime.
      suggestion: (await findPortState(port, ['127.0.0.1'], [other.port])).suggestion,
    })),
  )
}
