import type { DeskChange } from '../../../shared/contracts/desk-services.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { createDeskEventsRepository } from './desk-events.repository.ts'

/** Where the events of one open desk go. */
export interface DeskSink {
  send(event: string, data: unknown): void
  end(): void
}

interface OpenDesk extends DeskSink {
  isSignedIn(): boolean
}

export interface DeskEventsOptions {
  /** False while the service is stopping: then nobody may be let in any more. */
  isRunning(): boolean
  /** A text that differs whenever the state of the services does. */
  readServices(): string
  /** Milliseconds between two looks at the database, and between two heartbeats. */
  pollMs?: number
  heartbeatMs?: number
}

const maxDesks = 200

/**
 * Tells every open desk when something has changed, by this process or by another: the database's version is
 * looked at a few times a second, which costs about a microsecond, and only where somebody listens.
 */
export function createDeskEvents(database: Database, options: DeskEventsOptions) {
  const repository = createDeskEventsRepository(database.reader)
  const desks = new Set<OpenDesk>()
  // The count of the services lives in this process; a start later counts from further on.
  const change: DeskChange = { releases: 0, people: 0, services: Date.now() }
  let seenVersion: number | undefined
  let seenServices: string | undefined
  let timers: NodeJS.Timeout[] = []

  /** Whether anything has moved since the last time. */
  const look = (): boolean => {
    const before = { ...change }
    const services = options.readServices()
    if (seenServices !== undefined && services !== seenServices) change.services += 1
    seenServices = services
    try {
      const version = repository.dataVersion()
      if (version !== seenVersion) {
        const counts = repository.countTopics()
        change.releases = counts.get('releases') ?? 0
        change.people = counts.get('people') ?? 0
        seenVersion = version
      }
    } catch {
      // The database is away, which the state of the services says; the next look may find it again.
    }
    return (
      change.releases !== before.releases ||
      change.people !== before.people ||
      change.services !== before.services
    )
  }

  const tell = (event: string, data: unknown): void => {
    for (const desk of desks) {
      if (desk.isSignedIn()) desk.send(event, data)
      else desk.end()
    }
  }

  const tick = (): void => {
    if (look()) tell('change', change)
  }

  const listen = (): void => {
    if (timers.length > 0) return
    timers = [
      setInterval(tick, options.pollMs ?? 250),
      setInterval(() => tell('heartbeat', {}), options.heartbeatMs ?? 10_000),
    ]
    for (const timer of timers) timer.unref()
  }

  const rest = (): void => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }

  return {
    /**
     * Adds a desk and sends it the present counts; the function that it gives takes the desk away. A desk
     * that is no longer signed in is ended at the next event. Throws TOO_MANY_REQUESTS or STOPPING.
     */
    open(desk: OpenDesk): () => void {
      if (!options.isRunning()) {
        throw new DomainError('STOPPING', 'This server is stopping. Try again in a few seconds.', {
          retryAfter: 5,
        })
      }
      if (desks.size >= maxDesks) {
        throw new DomainError('TOO_MANY_REQUESTS', `There are ${maxDesks} open desks already. Close some.`, {
          retryAfter: 10,
        })
      }
      tick()
      desks.add(desk)
      listen()
      desk.send('change', change)
      return () => {
        desks.delete(desk)
        if (desks.size === 0) rest()
      }
    },

    /** Ends every stream, so that nobody waits for them when the service stops. */
    endAll(): void {
      for (const desk of desks) desk.end()
    },

    get openDesks(): number {
      return desks.size
    },
  }
}

export type DeskEvents = ReturnType<typeof createDeskEvents>
