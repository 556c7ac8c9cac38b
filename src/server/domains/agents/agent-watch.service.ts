import { setTimeout as delay } from 'node:timers/promises'
import type { AgentFacts } from '../../../shared/agent-facts.ts'
import type { ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { Database } from '../../db/database.ts'
import type { AgentsReader } from '../../agents/agents-reader.ts'
import { isProblem } from '../../agents/reader-messages.ts'
import type { Logger } from '../../operations/logging.ts'
import type { AgentAlerts } from './agent-alerts.service.ts'
import type { AgentModules } from './agents.repository.ts'
import { logTexts } from '../../operations/log.texts.ts'

interface AgentWatchParts {
  database: Pick<Database, 'assertAvailable'>
  reader: AgentsReader
  alerts: AgentAlerts
  modules: AgentModules
  log: Logger
}

/** Milliseconds between checks for work to do. */
const pollEveryMs = 1000
/** Milliseconds after which modules are checked again even if the database has not changed. */
const modulesMs = 60_000
/** Milliseconds between updates of the facts before everything has been read. */
const earlyFactsMs = 1000

/**
 * Follows the chosen project in the background, whether or not a desk is open: copies what is new, verifies all hashes,
 * and finds problems that need attention.
 */
export function createAgentWatch({ database, reader, alerts, modules, log }: AgentWatchParts) {
  let facts: AgentFacts | null = null
  let revoked: ReadonlyMap<string, ModuleRelease> = new Map()
  let factsVersion = ''
  let seenReleases = -1
  let isRunning: Promise<void> | null = null
  let runAgain = false
  let timer: NodeJS.Timeout | undefined
  let folder: string | null = null
  let seenProject = ''
  let ranAt = 0
  let pausedUntil = 0
  let factsAt = -Infinity
  const ending = new AbortController()

  const clear = (): void => {
    facts = null
    revoked = new Map()
    alerts.clear()
  }

  /** Looks up which of the agents' modules are revoked. */
  async function updateRevocations(): Promise<void> {
    if (facts === null || folder === null) return
    seenReleases = modules.countChanges()
    database.assertAvailable()
    revoked = modules.findRevoked(facts.modules.map(({ digest }) => digest))
    await alerts.update(folder, facts, revoked)
  }

  /** Runs until everything written before is copied and compared. */
  const run = async (): Promise<void> => {
    for (;;) {
      await delay(Math.max(0, pausedUntil - performance.now()), undefined, { signal: ending.signal })
      const { folder: requested } = reader.project()
      const soon = performance.now() - factsAt > earlyFactsMs
      const reading = await reader.read(
        'backgroundSync',
        { known: factsVersion, soon },
        { signal: ending.signal },
      )
      // While the project cannot be read, the last known facts are still shown.
      if (isProblem(reading) || requested !== reader.project().folder) return
      if (reading.state !== 'ready') return clear()
      const { isDone, pauseMs, version } = reading.value
      if (reading.value.facts !== null) {
        const isSame = JSON.stringify(facts) === JSON.stringify(reading.value.facts)
        facts = reading.value.facts
        if (!isSame) await updateRevocations()
        factsVersion = version
        factsAt = performance.now()
      }
      pausedUntil = performance.now() + pauseMs
      if (isDone) return
    }
  }

  const start = (): void => {
    ranAt = performance.now()
    runAgain = isRunning !== null
    if (isRunning !== null) return
    isRunning = run()
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.warn({ err: error }, logTexts.projectNotChecked)
      })
      .finally(() => {
        isRunning = null
        if (runAgain && !ending.signal.aborted) start()
      })
  }

  const check = (): void => {
    if (ending.signal.aborted) return
    const project = reader.project()
    if (project.folder !== folder) {
      folder = project.folder
      pausedUntil = 0
      clear()
    }
    if (folder === null) return
    const now = `${folder} ${project.revision} ${project.state}`
    if (now !== seenProject || performance.now() - ranAt > modulesMs) {
      seenProject = now
      start()
    } else if (facts !== null && isRunning === null && modules.countChanges() !== seenReleases) {
      updateRevocations().catch(() => {
        // The database is unavailable: try again at the next check.
        seenReleases = -1
      })
    }
  }

  const unsubscribe = reader.onChange(check)

  return {
    /** Starts following; stop with `end`. */
    start(): void {
      check()
      clearInterval(timer)
      timer = setInterval(check, pollEveryMs)
      timer.unref()
    },

    async end(): Promise<void> {
      ending.abort()
      clearInterval(timer)
      unsubscribe()
      await isRunning
    },

    /** The latest facts; null while nothing is known about the chosen project. */
    get facts(): AgentFacts | null {
      return facts
    },
    /** Digests of revoked modules that agents run. */
    revokedDigests: (): string[] => [...revoked.keys()],

    /** Changes when the desk may show something different. */
    readVersion(): string {
      const project = reader.project()
      if (project.folder === null) return ''
      const { revision, state, reason } = project
      return [project.folder, revision, state, reason, factsVersion, alerts.version, ...revoked.keys()].join(
        ' ',
      )
    },
  }
}

export type AgentWatch = ReturnType<typeof createAgentWatch>
