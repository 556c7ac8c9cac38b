import type { DeskChange } from '../../../shared/contracts/desk-services.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { deskEventsRepository } from './desk-events.repository.ts'
import { presenceFor, writingFor } from './presence.rules.ts'

/** Where the events of one open desk go. */
export interface DeskSink {
  send(event: string, data: unknown): void
  end(): void
}

export interface JoiningDesk extends DeskSink {
  person: Person
  /** The name that the desk gave itself. */
  desk: string | null
  /** Whose it is by now; null once nobody is signed in at it. Throws while the database is away. */
  findPerson(): Person | null
}

interface OpenDesk extends JoiningDesk {
  /** The release that it has open. */
  release: number | null
  /** The post that its editor has open, and when something was last written in it. */
  post: { id: number; writtenAt: string } | null
  /** The presence that it was told last, as text. */
  told: string | null
  /** The same of what is being written. */
  toldWriting: string
}

export interface DeskEventsOptions {
  /** False while the service is stopping: then nobody may be let in any more. */
  isRunning(): boolean
  /** A text that differs whenever the state of the services does. */
  readServices(): string
  /** The same of the chosen agent project. */
  readAgents?(): string
  /** When a post becomes public with no commit; null where none waits for its time. */
  findNextPublication?(): Date | null
  /** Milliseconds between two looks at the database, and between two heartbeats. */
  pollMs?: number
  heartbeatMs?: number
}

/** Every desk reads its view again after a change, and an agent project may be written many times a second. */
const agentsEveryMs = 1000

/** What a desk knows before it is told anything. */
const noWriting = JSON.stringify(writingFor(0, []))

/**
 * Tells every open desk when something has changed, by this process or by another: the database's version is
 * looked at a few times a second, which costs about a microsecond, and only where somebody listens.
 */
export function createDeskEvents(database: Database, options: DeskEventsOptions) {
  const repository = deskEventsRepository(database.reader)
  const desks = new Set<OpenDesk>()
  const watchers = new Set<() => void>()
  // The counts of services, agents and content live in this process; a start later counts from further on.
  const change: DeskChange = {
    releases: 0,
    content: Date.now(),
    agents: Date.now(),
    people: 0,
    services: Date.now(),
  }
  let seenAgents: string | undefined
  /** When the desks were last told of a change of the agent project, in milliseconds. */
  let agentsToldAt = 0
  let seenContent: number | undefined
  /** When a post becomes public by itself, in milliseconds. */
  let due: number | null = null
  let seenVersion: number | undefined
  let seenServices: string | undefined
  let timers: NodeJS.Timeout[] = []

  /** Whether anything has moved since the last time. */
  const look = (): boolean => {
    const before = { ...change }
    const services = options.readServices()
    if (seenServices !== undefined && services !== seenServices) change.services += 1
    seenServices = services
    if (Date.now() - agentsToldAt >= agentsEveryMs) {
      const agents = options.readAgents?.() ?? ''
      if (seenAgents !== undefined && agents !== seenAgents) {
        change.agents += 1
        agentsToldAt = Date.now()
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
        seenVersion = version
      }
    } catch {
      // The database is away, which the state of the services says; the next look may find it again.
    }
    return (
      change.releases !== before.releases ||
      change.content !== before.content ||
      change.agents !== before.agents ||
      change.people !== before.people ||
      change.services !== before.services
    )
  }

  /** False where nobody is signed in any more. */
  const isSignedIn = (desk: OpenDesk): boolean => {
    try {
      const person = desk.findPerson()
      if (person === null) return false
      desk.person = person
    } catch {
      // The database is away: nobody is signed out for that.
    }
    return true
  }

  const tell = (event: string, data: unknown): void => {
    for (const desk of desks) {
      if (isSignedIn(desk)) desk.send(event, data)
      else desk.end()
    }
  }

  /** Tells each administrator what the others have open, where that is not what they were told last. */
  const tellPresence = (): void => {
    const administrators = [...desks].filter(({ person }) => person.role === 'administrator')
    const open = administrators.flatMap(({ person, release }) =>
      release === null ? [] : [{ personId: person.id, name: person.name ?? person.subject, release }],
    )
    for (const desk of administrators) {
      const presence = presenceFor(desk.person.id, open)
      const text = JSON.stringify(presence)
      if (text === desk.told) continue
      desk.told = text
      desk.send('presence', presence)
    }
  }

  /** Tells each administrator which posts the other desks write, where that is not what they were told last. */
  const tellWriting = (): void => {
    const administrators = [...desks].filter(({ person }) => person.role === 'administrator')
    for (const desk of administrators) {
      const others = administrators.flatMap(({ person, post, ...one }) =>
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
      if (text === desk.toldWriting) continue
      desk.toldWriting = text
      desk.send('writing', writing)
    }
  }

  const tick = (): void => {
    if (!look()) return
    tell('change', change)
    for (const watcher of watchers) watcher()
    // Somebody may have another name or role.
    tellPresence()
    tellWriting()
  }

  const findDesk = (person: Person, name: string | null): OpenDesk | undefined =>
    name === null ? undefined : [...desks].find((one) => one.desk === name && one.person.id === person.id)

  /** Throws NOT_FOUND where this person has no such desk. */
  const findOpenDesk = (person: Person, name: string): OpenDesk => {
    const desk = findDesk(person, name)
    if (desk !== undefined) return desk
    throw new DomainError(
      'NOT_FOUND',
      'This desk has no open stream of events. Open one with its name first.',
    )
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
     * that is no longer signed in is ended at the next event. Throws STOPPING.
     */
    open(joining: JoiningDesk): () => void {
      if (!options.isRunning()) {
        throw new DomainError('STOPPING', 'This server is stopping. Try again in a few seconds.', {
          retryAfter: 5,
        })
      }
      tick()
      // A stream that was cut may still count as open here when its desk comes again.
      const before = findDesk(joining.person, joining.desk)
      if (before !== undefined) Object.assign(before, { desk: null, release: null, post: null })
      const desk: OpenDesk = { ...joining, release: null, post: null, told: null, toldWriting: noWriting }
      desks.add(desk)
      listen()
      desk.send('change', change)
      tellPresence()
      tellWriting()
      return () => {
        desks.delete(desk)
        if (desks.size === 0 && watchers.size === 0) rest()
        if (desk.release !== null) tellPresence()
        if (desk.post !== null) tellWriting()
      }
    },

    /** Tells the other desks what this one has open. Throws NOT_FOUND where this person has no such desk. */
    showPresence(person: Person, name: string, release: number | null): void {
      findOpenDesk(person, name).release = release
      tellPresence()
    },

    /** The same of the post that is being written here. Throws NOT_FOUND as well. */
    showWriting(person: Person, name: string, post: number | null, idleMs: number): void {
      const writtenAt = new Date(Date.now() - idleMs).toISOString()
      findOpenDesk(person, name).post = post === null ? null : { id: post, writtenAt }
      tellWriting()
    },

    /** Calls `watcher` after every change, until the function that it gives is called: for the app, which is no desk. */
    watch(watcher: () => void): () => void {
      watchers.add(watcher)
      listen()
      return () => {
        watchers.delete(watcher)
        if (desks.size === 0 && watchers.size === 0) rest()
      }
    },

    /** Ends every stream, so that nobody waits for them when the service stops. */
    endAll(): void {
      for (const desk of desks) desk.end()
    },

    /** Who has a desk open, each once, in the order of coming. */
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
