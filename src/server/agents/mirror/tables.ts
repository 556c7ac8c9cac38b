import { agentStates } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentState } from '../../../shared/contracts/desk-agents-common.ts'
import { handlerTypes } from '../../../shared/contracts/desk-agents-tables.ts'
import type { HandlerType } from '../../../shared/contracts/desk-agents-tables.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { integerOf, millisecondsOf, nameOf, numberOf, textOf, timeOf } from '../cell-values.ts'
import { hashedCells, hashedColumn, isVerified, isVerifiedByCells } from '../queries/audit-hash.ts'

export type Cell = string | number | null

/** How a cell of the mirror is computed from the cells of a source row. */
interface Column {
  reads: readonly string[]
  /** Undefined if the row's `extra` column is needed and has not been read. */
  toCell(row: Row): Cell | undefined
}

/** How one of the project's tables is copied. */
export interface TableKind {
  /** Its name in the project's database. */
  source: string
  columns: Readonly<Record<string, Column>>
  /** The key of a table that mostly grows and may have millions of rows. Other tables are read completely. */
  growsBy?: 'id' | 'rowid'
  /** An expensive column, read only for blocks in which a row needs it. */
  extra?(database: AgentsDatabase): string
}

const column = (name: string, toCell: (cell: unknown) => Cell): Column => ({
  reads: [name],
  toCell: (row) => toCell(row[name]),
})

/** The text that a search matches: lowercase values, one per line. */
const searchable = (...reads: string[]): Column => ({
  reads,
  toCell: (row) => reads.map((name) => textOf(row[name])?.toLowerCase() ?? '').join('\n'),
})

/** Words that the format does not define are `unknown`; case and surrounding spaces are ignored. */
export function stateOf(status: string | null): AgentState {
  const word = status?.trim().toLowerCase()
  return agentStates.find((state) => state === word) ?? 'unknown'
}

export function handlerTypeOf(cell: unknown): HandlerType {
  const text = textOf(cell)?.toLowerCase()
  return handlerTypes.find((type) => type === text) ?? 'other'
}

const crashWords = /crash|exit|panic|abort/i
const restartWord = /restart/i
const startWord = /start/i

/** What happened to the agent, guessed from the wording: the format does not define events. */
function eventKindOf(row: Row): 'restart' | 'exit' | null {
  const event = textOf(row['event_type'])
  if (event === null) return null
  if (restartWord.test(event)) return 'restart'
  if (startWord.test(event)) return restartWord.test(textOf(row['detail']) ?? '') ? 'restart' : null
  return crashWords.test(event) ? 'exit' : null
}

function mismatchOf(row: Row): 0 | 1 | undefined {
  const isMatch = 'hashed' in row ? isVerified(row) : isVerifiedByCells(row)
  return isMatch === null ? undefined : isMatch ? 0 : 1
}

/** By the names of the mirror's tables; those with millions of rows come last. */
export const tableKinds = {
  agents: {
    source: 'agents',
    columns: {
      name: column('name', nameOf),
      state: column('status', (cell) => stateOf(textOf(cell))),
      status: column('status', textOf),
      template: column('template', textOf),
      source: column('source', textOf),
      pid: column('pid', integerOf),
      createdAt: column('created_at', timeOf),
      updatedAt: column('updated_at', timeOf),
      updated: column('updated_at', millisecondsOf),
      search: searchable('name', 'source', 'template'),
    },
  },
  supervisors: {
    source: 'supervisors',
    columns: {
      id: column('id', nameOf),
      name: column('name', nameOf),
      status: column('status', textOf),
      strategy: column('strategy', textOf),
      maxRestarts: column('max_restarts', integerOf),
      windowSeconds: column('restart_window', integerOf),
      createdAt: column('created_at', timeOf),
    },
  },
  children: {
    source: 'supervisor_children',
    columns: {
      supervisor: column('supervisor_id', nameOf),
      agent: column('agent_name', nameOf),
      position: column('position', integerOf),
    },
  },
  budgets: {
    source: 'cost_budgets',
    columns: {
      agent: column('agent_name', nameOf),
      budgetCents: column('budget_cents', numberOf),
      spentCents: column('spent_cents', numberOf),
      period: column('period', nameOf),
      action: column('action', nameOf),
      alertAt: column('alert_at', numberOf),
      lastReset: column('last_reset', millisecondsOf),
    },
  },
  trust: {
    source: 'trust_records',
    columns: {
      agent: column('agent_name', nameOf),
      auid: column('auid', textOf),
      tier: column('trust_tier', textOf),
      score: column('t_score', numberOf),
      rating: column('credit_rating', textOf),
      verifiedAt: column('verified_at', timeOf),
      status: column('status', textOf),
      search: searchable('agent_name', 'auid'),
    },
  },
  deployments: {
    source: 'edge_deployments',
    columns: {
      agent: column('agent_name', nameOf),
      worker: column('worker_name', textOf),
      region: column('region', textOf),
      status: column('status', textOf),
      url: column('url', textOf),
      deployedAt: column('deployed_at', timeOf),
      search: searchable('agent_name', 'worker_name', 'url'),
    },
  },
  skills: {
    source: 'skills',
    columns: {
      name: column('name', nameOf),
      version: column('version', textOf),
      source: column('source', textOf),
      wasmPath: column('wasm_path', textOf),
      description: column('description', textOf),
      installedAt: column('installed_at', timeOf),
    },
  },
  costs: {
    source: 'cost_events',
    growsBy: 'rowid',
    columns: {
      at: column('created_at', millisecondsOf),
      agent: column('agent_name', textOf),
      model: column('model', textOf),
      cents: column('amount_cents', numberOf),
      tokens_in: column('tokens_in', integerOf),
      tokens_out: column('tokens_out', integerOf),
    },
  },
  routes: {
    source: 'broker_routes',
    growsBy: 'rowid',
    columns: {
      at: column('created_at', millisecondsOf),
      handler: column('handler', textOf),
      type: column('handler_type', handlerTypeOf),
      cents: column('cost_cents', numberOf),
      latency: column('latency_ms', numberOf),
    },
  },
  audit: {
    source: 'audit_log',
    growsBy: 'id',
    columns: {
      at: column('timestamp', millisecondsOf),
      agent: column('agent_name', textOf),
      event: column('event_type', textOf),
      kind: { reads: ['event_type', 'detail'], toCell: eventKindOf },
      mismatch: { reads: hashedCells, toCell: mismatchOf },
    },
    extra: hashedColumn,
  },
} satisfies Record<string, TableKind>

export type TableName = keyof typeof tableKinds
export const tableNames = Object.keys(tableKinds) as TableName[]
