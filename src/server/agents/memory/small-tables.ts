import { agentStates } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentState } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { integerOf, millisecondsOf, numberOf, textOf, timeOf } from '../cell-values.ts'

/** A table that is read whole when the database has changed. */
export interface SmallTable<Value> {
  readonly table: string
  readonly isThere: boolean
  readonly rows: readonly Value[]
  /** Another number means other rows, maybe. */
  readonly version: number
  /** Whether it was read at this serial or later. */
  isSynced(serial: number): boolean
  sync(database: AgentsDatabase, serial: number): void
}

export function createSmallTable<Value>(
  table: string,
  columns: readonly string[],
  read: (row: Row) => Value,
): SmallTable<Value> {
  let rows: Value[] = []
  let isThere = false
  let syncedSerial = -1
  return {
    table,
    get isThere() {
      return isThere
    },
    get rows() {
      return rows
    },
    get version() {
      return syncedSerial
    },
    isSynced: (serial) => syncedSerial >= serial,
    sync(database, serial) {
      if (syncedSerial >= serial) return
      isThere = database.columnsOf(table) !== null
      const found = isThere ? database.all(`SELECT ${database.columns(table, columns)} FROM "${table}"`) : []
      rows = found.map(read)
      syncedSerial = serial
    },
  }
}

export interface KnownAgent {
  name: string
  state: AgentState
  status: string | null
  template: string | null
  source: string | null
  pid: number | null
  createdAt: string | null
  updatedAt: string | null
  /** As `updatedAt`; NaN where it cannot be read. */
  updated: number
}

/** Any word that the format does not know is `unknown`; case and spaces around it do not count. */
export function stateOf(status: string | null): AgentState {
  const word = status?.trim().toLowerCase()
  return agentStates.find((state) => state === word) ?? 'unknown'
}

export const readAgent = (row: Row): KnownAgent => {
  const status = textOf(row['status'])
  return {
    name: textOf(row['name']) ?? '',
    state: stateOf(status),
    status,
    template: textOf(row['template']),
    source: textOf(row['source']),
    pid: integerOf(row['pid']),
    createdAt: timeOf(row['created_at']),
    updatedAt: timeOf(row['updated_at']),
    updated: millisecondsOf(row['updated_at']) ?? Number.NaN,
  }
}

export interface KnownSupervisor {
  id: string
  name: string
  status: string | null
  strategy: string | null
  maxRestarts: number | null
  windowSeconds: number | null
  createdAt: string | null
}

export const readSupervisor = (row: Row): KnownSupervisor => ({
  id: textOf(row['id']) ?? '',
  name: textOf(row['name']) ?? '',
  status: textOf(row['status']),
  strategy: textOf(row['strategy']),
  maxRestarts: integerOf(row['max_restarts']),
  windowSeconds: integerOf(row['restart_window']),
  createdAt: timeOf(row['created_at']),
})

export interface KnownChild {
  supervisor: string
  agent: string
  position: number | null
}

export const readChild = (row: Row): KnownChild => ({
  supervisor: textOf(row['supervisor_id']) ?? '',
  agent: textOf(row['agent_name']) ?? '',
  position: integerOf(row['position']),
})

export interface KnownBudget {
  agent: string
  budgetCents: number | null
  spentCents: number | null
  period: string
  action: string
  alertAt: number | null
  /** Milliseconds since 1970. */
  lastReset: number | null
}

export const readBudget = (row: Row): KnownBudget => ({
  agent: textOf(row['agent_name']) ?? '',
  budgetCents: numberOf(row['budget_cents']),
  spentCents: numberOf(row['spent_cents']),
  period: textOf(row['period']) ?? '',
  action: textOf(row['action']) ?? '',
  alertAt: numberOf(row['alert_at']),
  lastReset: millisecondsOf(row['last_reset']),
})

export interface KnownTrust {
  agent: string
  auid: string | null
  tier: string | null
  score: number | null
  rating: string | null
  verifiedAt: string | null
  status: string | null
}

export const readTrust = (row: Row): KnownTrust => ({
  agent: textOf(row['agent_name']) ?? '',
  auid: textOf(row['auid']),
  tier: textOf(row['trust_tier']),
  score: numberOf(row['t_score']),
  rating: textOf(row['credit_rating']),
  verifiedAt: timeOf(row['verified_at']),
  status: textOf(row['status']),
})

export interface KnownDeployment {
  agent: string
  worker: string | null
  region: string | null
  status: string | null
  url: string | null
  deployedAt: string | null
}

export const readDeployment = (row: Row): KnownDeployment => ({
  agent: textOf(row['agent_name']) ?? '',
  worker: textOf(row['worker_name']),
  region: textOf(row['region']),
  status: textOf(row['status']),
  url: textOf(row['url']),
  deployedAt: timeOf(row['deployed_at']),
})

export interface KnownSkill {
  name: string
  version: string | null
  source: string | null
  wasmPath: string | null
  description: string | null
  installedAt: string | null
}

export const readSkill = (row: Row): KnownSkill => ({
  name: textOf(row['name']) ?? '',
  version: textOf(row['version']),
  source: textOf(row['source']),
  wasmPath: textOf(row['wasm_path']),
  description: textOf(row['description']),
  installedAt: timeOf(row['installed_at']),
})
