import { deskTopics } from '../../../shared/contracts/desk-services.ts'
import type { DeskChange } from '../../../shared/contracts/desk-services.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { may } from '../../../shared/may.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { deskEventsRepository } from './desk-events.repository.ts'
import { presenceFor, writingFor } from './presence.rules.ts'
import { unavailableTexts } from '../../operations/unavailable.texts.ts'
import { texts } from './operations.texts.ts'

/** The event stream of one open desk. */
interface DeskSink {
  send(event: string, data: unknown): void
  end(): void
}

interface JoiningDesk extends DeskSink {
  person: Person
  /** Whether the stream belongs to the remote desk, which the registry listener serves. */
  remote: boolean
  /** The id that the desk chose for itself. */
  desk: string | null
  /** The person who is currently signed in; null after sign-out. Throws while the database is unavailable. */
  findPerson(): Person | null
}

interface OpenDesk extends JoiningDesk {
  /** The release that is open in the desk. */
  release: number | null
  /** The post that is open in the editor, and when it was last edited. */
  post: { id: number; writtenAt: string } | null
  /** The `presence` event that was last sent to this desk, as JSON. */
  lastPresence: string | null
  /** The `writing` event that was last sent to this desk, as JSON. */
  lastWriting: string
}

interface DeskEventsOptions {
  /** False while the listener of the local or remote desk is stopping and accepts no new streams. */
  isRunning(remote: boolean): boolean
  /** A text that changes whenever the state of the services changes. */
  readServices(): string
  /** The same for the selected agent project. */
  readAgents?(): string
  /** When the next scheduled post becomes public, or null. */
  findNextPublication?(): Date | null
  /** Milliseconds between polls of the database. */
  pollMs?: number
  /** Milliseconds between heartbeats. */
  heartbeatMs?: number
}

/**
 * Minimum time between two changes of the topic `agents`: every desk refetches its view after a change, and an agent
 * project may be written many times a second.
 */
const agentsEveryMs = 1000

/** The initial `writing` state of a desk. */
const noWriting = JSON.stringify(writingFor(0, []))

/**
 * Notifies every open desk of changes made by any process. Polls the database's version a few times a second (about a
 * microsecond each), and only while a desk is open.
 */
export function createDeskEvents(database: Database, options: DeskEventsOptions) {
  const repository = deskEventsRepository(database.reader)
  const desks = new Set<OpenDesk>()
  const watchers = new Set<() => void>()
  // The counts of services, agents and content are kept in memory; starting at the current time keeps them increasing
  // across restarts.
  const change: DeskChange = {
    releases: 0,
    content: Date.now(),
    agents: Date.now(),
    people: 0,
    services: Date.now(),
    history: 0,
  }
  let seenAgents: string | undefined
  /** When a change of the agent project was last announced, in milliseconds by the monotonic clock. */
  let agentsChangedAt = -Infinity
  let seenContent: number | undefined
  /** When the next scheduled post becomes public, in milliseconds. */
  let due: number | null = null
  let seenVersion: number | undefined
  let seenServices: string | undefined
  let timers: NodeJS.Timeout[] = []

  /** Updates the counts and returns whether any has changed. */
  const detectChanges = (): boolean => {
    const before = { ...change }
    const services = options.readServices()
    if (seenServices !== undefined && services !== seenServices) change.services += 1
    seenServices = services
    if (performance.now() - agentsChangedAt >= agentsEveryMs) {
      const agents = options.readAgents?.() ?? ''
      if (seenAgents !== undefined && agents !== seenAgents) {
        change.agents += 1
        agentsChangedAt = performance.now()
      }
      seenAgents = agents
    }
    try {
      const version = repository.dataVersion()
      const isDue = due !== null && due <= Date.now()
      if (isDue) change.content += 1
      if (isDue || version !== seenVersion) due = options.findNextPublication?.()?.getTime() ?? null
      if (version !== seenVersion) {
        const counts = repository.countTopics()
        const content = counts.get('content')
        if (seenContent !== undefined && content !== seenContent) change.content += 1
        seenContent = content
        change.releases = counts.get('releases') ?? 0
        change.people = counts.get('people') ?? 0
        change.history = counts.get('history') ?? 0
        seenVersion = version
      }
    } catch {
      // The database is unavailable, which the state of the services reports. The next poll tries again.
    }
    return deskTopics.some((topic) => change[topic] !== before[topic])
  }

  /** Whether a person is still signed in to the desk. */
  const isSignedIn = (desk: OpenDesk): boolean => {
    try {
      const person = desk.findPerson()
      if (person === null) return false
      desk.person = person
    } catch {
      // An unavailable database does not sign anyone out.
    }
    return true
  }

  const broadcast = (event: string, data: unknown): void => {
    for (const desk of desks) {
      if (isSignedIn(desk)) desk.send(event, data)
      else desk.end()
    }
  }

  const desksWith = (access: 'reviewer' | 'editor'): OpenDesk[] =>
    [...desks].filter(({ person }) => may(person.role, access))

  /** Sends each reviewer which releases the others have open, if that has changed. */
  const sendPresence = (): void => {
    const reviewers = desksWith('reviewer')
    const open = reviewers.flatMap(({ person, release }) =>
      release === null ? [] : [{ personId: person.id, name: person.name ?? person.subject, release }],
    )
    for (const desk of reviewers) {
      const presence = presenceFor(desk.person.id, open)
      const text = JSON.stringify(presence)
      if (text === desk.lastPresence) continue
      desk.lastPresence = text
      desk.send('presence', presence)
    }
  }

  /** Sends each editor which posts are being edited in other desks, if that has changed. */
  const sendWriting = (): void => {
    const editors = desksWith('editor')
    for (const desk of editors) {
      const others = editors.flatMap(({ person, post, ...one }) =>
        one.desk === desk.desk || post === null
          ? []
          : [
              {
                personId: person.id,
                name: person.name ?? person.subject,
                post: post.id,
                writtenAt: post.writtenAt,
              },
            ],
      )
      const writing = writingFor(desk.person.id, others)
      const text = JSON.stringify(writing)
      if (text === desk.lastWriting) continue
      desk.lastWriting = text
      desk.send('writing', writing)
    }
  }

  const tick = (): void => {
    if (!detectChanges()) return
    broadcast('change', change)
    for (const watcher of watchers) watcher()
    // Names or roles may have changed.
    sendPresence()
    sendWriting()
  }

  const findDesk = (person: Person, id: string | null): OpenDesk | undefined =>
    id === null ? undefined : [...desks].find((one) => one.desk === id && one.person.id === person.id)

  /** Throws NOT_FOUND if this person has no such desk. */
  const findOpenDesk = (person: Person, id: string): OpenDesk => {
    const desk = findDesk(person, id)
    if (desk !== undefined) return desk
    throw new DomainError('NOT_FOUND', texts.noStream)
  }

  const startPolling = (): void => {
    if (timers.length > 0) return
    timers = [
      setInterval(tick, options.pollMs ?? 250),
      setInterval(() => broadcast('heartbeat', {}), options.heartbeatMs ?? 10_000),
    ]
    for (const timer of timers) timer.unref()
  }

  const stopPolling = (): void => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }

  return {
    /**
     * Adds a desk and sends it the current counts. The returned function removes the desk. The stream of a desk that is
     * no longer signed in ends at the next event. Throws STOPPING.
     */
    open(joining: JoiningDesk): () => void {
      if (!options.isRunning(joining.remote)) {
        throw new DomainError('STOPPING', unavailableTexts.stopping, { retryAfter: 5 })
      }
      tick()
      // When a desk reconnects, its interrupted stream may still count as open.
      const before = findDesk(joining.person, joining.desk)
      if (before !== undefined) Object.assign(before, { desk: null, release: null, post: null })
      const desk: OpenDesk = {
        ...joining,
        release: null,
        post: null,
        lastPresence: null,
        lastWriting: noWriting,
      }
      desks.add(desk)
      startPolling()
      desk.send('change', change)
      sendPresence()
      sendWriting()
      return () => {
        desks.delete(desk)
        if (desks.size === 0 && watchers.size === 0) stopPolling()
        if (desk.release !== null) sendPresence()
        if (desk.post !== null) sendWriting()
      }
    },

    /** The counts of a `change` event. */
    readChanges(): DeskChange {
      tick()
      return { ...change }
    },

    /** Sets which release a desk has open. Throws NOT_FOUND if this person has no such desk. */
    showPresence(person: Person, id: string, release: number | null): void {
      findOpenDesk(person, id).release = release
      sendPresence()
    },

    /** Sets which post is being edited in a desk. Throws NOT_FOUND if this person has no such desk. */
    showWriting(person: Person, id: string, post: number | null, idleMs: number): void {
      const writtenAt = new Date(Date.now() - idleMs).toISOString()
      findOpenDesk(person, id).post = post === null ? null : { id: post, writtenAt }
      sendWriting()
    },

    /** Calls `watcher` after every change, until the returned function is called. For the app, which is not a desk. */
    watch(watcher: () => void): () => void {
      watchers.add(watcher)
      startPolling()
      return () => {
        watchers.delete(watcher)
        if (desks.size === 0 && watchers.size === 0) stopPolling()
      }
    },

    /** Ends every stream of a listener, so that it can stop without waiting for them. */
    endAll(remote: boolean): void {
      for (const desk of desks) if (desk.remote === remote) desk.end()
    },

    /** The people who have a desk open, each listed once, in the order in which they opened it. */
    listPeople(): { id: number; name: string }[] {
      return [
        ...new Map(
          [...desks].map(({ person: { id, name, subject } }) => [id, { id, name: name ?? subject }]),
        ).values(),
      ]
    },

    get openDesks(): number {
      return desks.size
    },
  }
}

export type DeskEvents = ReturnType<typeof createDeskEvents>
