import type { AgentsDatabase } from '../agents-database.ts'
import { identityOf, isFresh, lookAtFiles } from '../project-files.ts'
import { createAuditTape } from './audit-tape.ts'
import { createCostTape } from './cost-tape.ts'
import { createModuleFiles } from './module-files.ts'
import { createRouteTape } from './route-tape.ts'
import {
  createSmallTable,
  readAgent,
  readBudget,
  readChild,
  readDeployment,
  readSkill,
  readSupervisor,
  readTrust,
} from './small-tables.ts'

function createParts(file: string) {
  return {
    agents: createSmallTable(
      'agents',
      ['name', 'template', 'source', 'status', 'pid', 'created_at', 'updated_at'],
      readAgent,
    ),
    supervisors: createSmallTable(
      'supervisors',
      ['id', 'name', 'strategy', 'max_restarts', 'restart_window', 'status', 'created_at'],
      readSupervisor,
    ),
    children: createSmallTable('supervisor_children', ['supervisor_id', 'agent_name', 'position'], readChild),
    budgets: createSmallTable(
      'cost_budgets',
      ['agent_name', 'budget_cents', 'period', 'alert_at', 'action', 'spent_cents', 'last_reset'],
      readBudget,
    ),
    trust: createSmallTable(
      'trust_records',
      ['agent_name', 'auid', 'trust_tier', 't_score', 'credit_rating', 'verified_at', 'status'],
      readTrust,
    ),
    deployments: createSmallTable(
      'edge_deployments',
      ['agent_name', 'worker_name', 'region', 'status', 'url', 'deployed_at'],
      readDeployment,
    ),
    skills: createSmallTable(
      'skills',
      ['name', 'version', 'source', 'wasm_path', 'description', 'installed_at'],
      readSkill,
    ),
    audit: createAuditTape(),
    costs: createCostTape(),
    routes: createRouteTape(),
    modules: createModuleFiles(file),
  }
}

export type AgentsParts = ReturnType<typeof createParts>
export type SmallPart = 'agents' | 'supervisors' | 'children' | 'budgets' | 'trust' | 'deployments' | 'skills'
export type TapePart = 'audit' | 'costs' | 'routes'
export type Part = SmallPart | TapePart
/** Small tables first, the largest last: what can be told at once is told at once. */
const rank: Partial<Record<Part, number>> = { costs: 1, routes: 2, audit: 3 }

export const tapeParts = ['audit', 'costs', 'routes'] as const satisfies readonly TapePart[]
export const isTape = (part: Part): part is TapePart => tapeParts.some((tape) => tape === part)

/** Small tables are in memory as a whole or not at all; of rows that are many, some may be known. */
export type Left = 'tables' | 'rows' | 'nothing'

export interface AgentsMemory extends AgentsParts {
  /** Counts the changes of the database that were seen. */
  readonly serial: number
  /** Looks whether somebody has written; gives the serial as it is then. */
  look(): number
  /** Results that hold as long as the parts' versions do. */
  remember<T>(key: string, versions: readonly number[], make: () => T): T
  /**
   * Brings parts up to date until `deadline`, with all that was there at the serial `since`: what is written meanwhile
   * begins nothing anew. Gives what is left to be read.
   */
  sync(database: AgentsDatabase, needs: readonly Part[], since: number, deadline: number): Left
  /** Hashes the modules that agents run, until `deadline`. True when nothing is left. */
  lookAtModules(deadline: number): boolean
  /** Reads again what was read before the last change, until `deadline`. True when nothing is left. */
  checkAgain(database: AgentsDatabase, deadline: number): boolean
  tapeOf(part: TapePart): AgentsParts[TapePart]['tape']
}

/** The last one that was given: of a file that has taken another one's place they go on. */
let lastSerial = 0

function createMemory(file: string): AgentsMemory {
  const parts = createParts(file)
  const remembered = new Map<string, { versions: string; value: unknown }>()
  let serial = lastSerial
  let seen = ''
  let seenFresh = false
  let seenAt = 0

  /** Whether somebody may have written since the last look. */
  const look = (): number => {
    const now = Date.now()
    const files = lookAtFiles(file)
    const identity = identityOf(files)
    const fresh = isFresh(files, now)
    // A write within one step of the file system's clock leaves no trace: what was seen then is looked at once more.
    if (identity === seen && !(seenFresh && now - seenAt > 100)) return serial
    lastSerial += 1
    serial = lastSerial
    seen = identity
    seenFresh = fresh
    seenAt = now
    return serial
  }

  return {
    ...parts,
    get serial() {
      return serial
    },

    remember<T>(key: string, versions: readonly number[], make: () => T): T {
      const text = versions.join(' ')
      const known = remembered.get(key)
      if (known?.versions === text) return known.value as T
      const value = make()
      remembered.set(key, { versions: text, value })
      return value
    },

    look,

    sync(database, needs, since, deadline) {
      for (const part of needs) if (isTape(part)) parts[part].tape.estimate(database)
      const ordered = needs.toSorted((one, other) => (rank[one] ?? 0) - (rank[other] ?? 0))
      let hasRead = false
      const left = ordered.find((part) => {
        if (isTape(part)) return !parts[part].tape.sync(database, since, deadline)
        if (parts[part].isSynced(since)) return false
        // However slow the machine is, each slice brings one of them.
        if (hasRead && performance.now() > deadline) return true
        parts[part].sync(database, since)
        hasRead = true
        return false
      })
      if (left === undefined) return 'nothing'
      return isTape(left) ? 'rows' : 'tables'
    },

    lookAtModules(deadline) {
      const sources = parts.agents.rows.flatMap(({ source }) =>
        source === null || source === '' ? [] : [source],
      )
      return parts.modules.sync(new Set(sources), deadline)
    },

    checkAgain: (database, deadline) =>
      tapeParts.every((part) => parts[part].tape.roll(database, serial, deadline)),

    tapeOf: (part) => parts[part].tape,
  }
}

let current: { key: string; memory: AgentsMemory } | null = null

/** What is kept of the project that is read; of another one, or another file in its place, nothing is kept. */
export function memoryOf(database: AgentsDatabase): AgentsMemory {
  const { main } = lookAtFiles(database.file)
  const key = `${database.file} ${main === null ? '' : `${main.dev}:${main.ino}`}`
  if (current?.key === key) return current.memory
  current?.memory.modules.end()
  current = { key, memory: createMemory(database.file) }
  return current.memory
}
