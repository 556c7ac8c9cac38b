import type { z } from 'zod'
import { auditEventSchema } from '../../../shared/contracts/desk-agents-audit.ts'
import { agentBudgetSchema, costEventSchema } from '../../../shared/contracts/desk-agents-cost.ts'
import {
  brokerRouteSchema,
  edgeDeploymentSchema,
  projectSkillSchema,
  trustRecordSchema,
} from '../../../shared/contracts/desk-agents-tables.ts'
import {
  agentDetailsSchema,
  supervisorChildSchema,
  supervisorSchema,
} from '../../../shared/contracts/desk-agents.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { millisecondsOf, nameOf, textOf } from '../cell-values.ts'
import { hashedCells, hashedColumn, isVerified, isVerifiedByCells } from '../queries/audit-hash.ts'
import { storedFields } from '../records.ts'

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

/** The fields of a contract that are read from a column, under their own names. */
const stored = (schema: z.ZodObject): Record<string, Column> =>
  Object.fromEntries(
    storedFields(schema).map((field) => [field.name, column(field.column, field.ofCell as () => Cell)]),
  )

/** The text that a search matches: lowercase values, one per line. */
const searchable = (...reads: string[]): Column => ({
  reads,
  toCell: (row) => reads.map((name) => textOf(row[name])?.toLowerCase() ?? '').join('\n'),
})

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
      ...stored(agentDetailsSchema),
      updated: column('updated_at', millisecondsOf),
      search: searchable('name', 'source', 'template'),
    },
  },
  supervisors: { source: 'supervisors', columns: stored(supervisorSchema) },
  children: {
    source: 'supervisor_children',
    columns: { supervisor: column('supervisor_id', nameOf), ...stored(supervisorChildSchema) },
  },
  budgets: {
    source: 'cost_budgets',
    columns: { ...stored(agentBudgetSchema), lastReset: column('last_reset', millisecondsOf) },
  },
  trust: {
    source: 'trust_records',
    columns: { ...stored(trustRecordSchema), search: searchable('agent_name', 'auid') },
  },
  deployments: {
    source: 'edge_deployments',
    columns: { ...stored(edgeDeploymentSchema), search: searchable('agent_name', 'worker_name', 'url') },
  },
  skills: { source: 'skills', columns: stored(projectSkillSchema) },
  costs: {
    source: 'cost_events',
    growsBy: 'rowid',
    columns: {
      ...stored(costEventSchema.omit({ id: true })),
      at: column('created_at', millisecondsOf),
    },
  },
  routes: {
    source: 'broker_routes',
    growsBy: 'rowid',
    columns: {
      ...stored(brokerRouteSchema.omit({ id: true, task: true })),
      at: column('created_at', millisecondsOf),
    },
  },
  audit: {
    source: 'audit_log',
    growsBy: 'id',
    columns: {
      ...stored(auditEventSchema.omit({ detail: true })),
      at: column('timestamp', millisecondsOf),
      kind: { reads: ['event_type', 'detail'], toCell: eventKindOf },
      mismatch: { reads: hashedCells, toCell: mismatchOf },
    },
    extra: hashedColumn,
  },
} satisfies Record<string, TableKind>

export type TableName = keyof typeof tableKinds
export const tableNames = Object.keys(tableKinds) as TableName[]
