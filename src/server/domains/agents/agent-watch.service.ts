import { setTimeout as delay } from 'node:timers/promises'
import type { ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentsReader } from '../../agents/agents-reader.ts'
import type { AgentFacts } from '../../agents/queries/desk-facts.ts'
import type { Logger } from '../../operations/logging.ts'
import type { AgentAlerts } from './agent-alerts.service.ts'
import type { AgentModules } from './agent-modules.service.ts'

export interface AgentWatchParts {
  reader: AgentsReader
  alerts: AgentAlerts
  modules: AgentModules
  log: Logger
  /** Milliseconds between two looks at whether there is anything to do. */
  lookEveryMs?: number
}

/**
 * Milliseconds between two slices of checking old rows again. A read that overlaps the moment in which the owner closes
 * its database leaves that one's -wal behind, so there should be few.
 */
const restMs = 1000
/** Milliseconds after which the modules are looked at again although the database has not changed. */
const modulesMs = 60_000
/** Milliseconds between two looks at what is wrong while rows are counted the first time. */
const earlyFactsMs = 1000

/**
 * Follows the chosen project in the background, whether somebody looks or not: counts what is new, checks all hashes, and
 * finds out what needs a person.
 */
export function createAgentWatch({ reader, alerts, modules, log, lookEveryMs = 1000 }: AgentWatchParts) {
  let facts: AgentFacts | null = null
  let revoked: ReadonlyMap<string, ModuleRelease> = new Map()
  let settled = ''
  let seenReleases = -1
  let isRunning: Promise<void> | null = null
  let runAgain = false
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  let folder: string | null = null
  let seenProject = ''
  let ranAt = 0
  let wake = (): void => {}
  const ending = new AbortController()

  const lose = (): void => {
    facts = null
    revoked = new Map()
    alerts.clear()
  }

  const takeFacts = async (): Promise<void> => {
    const { folder: asked } = reader.project()
    const reading = await reader.read('deskFacts', null, { signal: ending.signal })
    // What was known last goes on being shown while nobody can read.
    if (reading.state === 'busy' || reading.state === 'unreadable' || asked !== reader.project().folder)
      return
    if (reading.state !== 'ready' || asked === null) return lose()
    facts = reading.value.value
    await takeRevocations()
  }

  /** What the registry says of the modules that agents run. */
  async function takeRevocations(): Promise<void> {
    if (facts === null || folder === null) return
    seenReleases = modules.countChanges()
    revoked = modules.findRevoked(facts.modules.map(({ digest }) => digest))
    await alerts.take(folder, facts, revoked)
  }

  /** Until it is time, or something has changed. */
  const rest = async (): Promise<void> => {
    const waking = new AbortController()
    wake = () => waking.abort()
    await delay(restMs, undefined, { signal: AbortSignal.any([ending.signal, waking.signal]) }).catch(
      () => {},
    )
    ending.signal.throwIfAborted()
  }

  /** Until everything has been read since the last change. */
  const run = async (): Promise<void> => {
    let factsAt = performance.now()
    for (;;) {
      const reading = await reader.read('deskSettle', null, { signal: ending.signal })
      if (reading.state !== 'ready') break
      const { isDone, isUrgent, version } = reading.value
      const isTime = !isUrgent || performance.now() - factsAt > earlyFactsMs
      if (isDone || (isTime && version !== settled)) {
        await takeFacts()
        settled = version
        factsAt = performance.now()
      }
      if (isDone) return
      if (!isUrgent) await rest()
    }
    await takeFacts()
  }

  const start = (): void => {
    ranAt = performance.now()
    runAgain = isRunning !== null
    wake()
    if (isRunning !== null) return
    isRunning = run()
      .catch((error: unknown) => {
        if (!hasEnded) log.warn({ err: error }, 'the agent project could not be gone through')
      })
      .finally(() => {
        isRunning = null
        if (runAgain && !hasEnded) start()
      })
  }

  const look = (): void => {
    if (hasEnded) return
    const project = reader.project()
    if (project.folder !== folder) {
      folder = project.folder
      lose()
    }
    if (folder === null) return
    const now = `${folder} ${project.revision} ${project.state}`
    if (now !== seenProject || performance.now() - ranAt > modulesMs) {
      seenProject = now
      start()
    } else if (facts !== null && isRunning === null && modules.countChanges() !== seenReleases) {
      takeRevocations().catch(() => {
        // The database is away: the next look tries it again.
        seenReleases = -1
      })
    }
  }

  const unwatch = reader.onChange(look)

  return {
    /** Begins; to be ended with `end`. */
    start(): void {
      look()
      clearInterval(timer)
      timer = setInterval(look, lookEveryMs)
      timer.unref()
    },

    async end(): Promise<void> {
      hasEnded = true
      clearInterval(timer)
      unwatch()
      ending.abort()
      await isRunning
    },

    /** What was found last; null while nothing is known of the chosen project. */
    get facts(): AgentFacts | null {
      return facts
    },
    /** Digests of modules of agents that have been revoked. */
    revokedDigests: (): string[] => [...revoked.keys()],

    /** A text that differs whenever something can be told differently. */
    readVersion(): string {
      const project = reader.project()
      if (project.folder === null) return ''
      const { revision, state, reason } = project
      return [project.folder, revision, state, reason, settled, alerts.version, ...revoked.keys()].join(' ')
    },
  }
}

export type AgentWatch = ReturnType<typeof createAgentWatch>
