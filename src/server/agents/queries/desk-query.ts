import { agentPageSize } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentStamp } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentAnswer, AgentQuery, deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import { unfinished } from '../agents-query.ts'
import type { AgentsQuery } from '../agents-query.ts'
import { nameOf, textOf } from '../cell-values.ts'
import type { CopiedTable } from '../mirror/copied-table.ts'
import { mirrorOf } from '../mirror/mirror.ts'
import type { Mirror } from '../mirror/mirror.ts'
import type { TableName } from '../mirror/tables.ts'
import type { RecordKind } from '../records.ts'

/** Milliseconds per slice; other queries run between two. */
const sliceMs = 20
/** Milliseconds after which an answer is sent with what is known so far, while the rest is still being copied. */
const maxWaitMs = 700

/** A value and what could not be known for it. */
export interface QueryResult<Value> extends Pick<AgentStamp, 'missingTables' | 'counting'> {
  value: Value
}

export interface QueryContext {
  mirror: Mirror
  database: AgentsDatabase
  now: number
}

/** The query parameters of a view. An export asks for more rows than a page has. */
export type ViewParams<Key extends keyof typeof deskAgentRoutes> =
  AgentQuery<Key> extends undefined ? undefined : AgentQuery<Key> & { limit?: number | undefined }

interface DeskQueryParts<Params, Value> {
  needs: readonly TableName[]
  compute(context: QueryContext, params: Params, state: object): Value | typeof unfinished
}

interface DeskState {
  startedAt: number
  /** Everything written before this serial is in the answer. */
  since: number
  isSynced: boolean
  /** The state of `compute`. */
  own: object
}

/** A desk query: copies what it needs into the mirror, in slices, and computes its answer from that. */
export function deskQuery<Params, Value>({
  needs,
  compute,
}: DeskQueryParts<Params, Value>): AgentsQuery<Params, QueryResult<Value>> {
  return {
    read(database, params, state: Partial<DeskState>) {
      const mirror = mirrorOf(database)
      // A change between two statements also changes the files, so the next read copies it.
      database.release()
      const now = performance.now()
      const startedAt = (state.startedAt ??= now)
      const since = (state.since ??= mirror.refresh(database))
      if (state.isSynced !== true) {
        const left = mirror.sync(database, needs, since, now + sliceMs)
        if (left === 'tables' || (left === 'rows' && now - startedAt < maxWaitMs)) return unfinished
      }
      const value = compute({ mirror, database, now: Date.now() }, params, (state.own ??= {}))
      if (value === unfinished) {
        state.isSynced = true
        return unfinished
      }
      const tables = needs.map((name) => mirror.tables[name])
      const missingTables = tables.filter(({ exists }) => !exists).map(({ source }) => source)
      return { missingTables, counting: countingOf(tables, since), value }
    },
  }
}

/** A desk query whose value is the whole answer of the route with this name, without the stamp. */
export const viewQuery = <Key extends keyof typeof deskAgentRoutes>(
  parts: DeskQueryParts<ViewParams<Key>, AgentAnswer<Key>>,
) => deskQuery(parts)

/** Progress of growing tables that are not yet copied up to the serial `since`. */
function countingOf(tables: readonly CopiedTable[], since: number): AgentStamp['counting'] {
  const growing = tables.filter(({ isGrowing }) => isGrowing)
  if (growing.every((table) => table.isComplete && table.isSynced(since))) return null
  return {
    done: growing.reduce((sum, { rows }) => sum + rows, 0),
    total: growing.reduce((sum, { expectedRows }) => sum + expectedRows, 0),
  }
}

/** Conditions joined by AND, and their values. */
export interface Where {
  sql: string
  values: (string | number | null)[]
}

type Condition = readonly [sql: string, value: string | number | null | undefined]

/** Joins the conditions whose value is not undefined. */
export function where(...conditions: readonly Condition[]): Where {
  const used = conditions.filter(([, value]) => value !== undefined)
  return {
    sql: used.length === 0 ? 'TRUE' : used.map(([sql]) => sql).join(' AND '),
    values: used.flatMap(([sql, value]) => (sql.includes('?') ? [value ?? null] : [])),
  }
}

/** Rows whose `search` contains this text, case-insensitive. */
export const searchCondition = (q: string | undefined): Condition => [
  'instr(search, ?)',
  q === undefined || q === '' ? undefined : q.toLowerCase(),
]

interface PageParams {
  offset: number
  limit?: number | undefined
}

/** ORDER BY for an expression: unknown values come last in either order, ties are ordered by `name`. */
export const orderBy = (expression: string, order: 'asc' | 'desc', name: string): string =>
  `(${expression}) IS NULL, (${expression}) ${order}, ${name}`

/** A page of a small table, from `SELECT … FROM …`, and the total number of rows. */
export function pageOf<Item>(
  mirror: Mirror,
  select: string,
  { sql, values }: Where,
  order: string,
  { limit = agentPageSize, offset }: PageParams,
): { items: Item[]; total: number } {
  const matching = `${select} WHERE ${sql}`
  const page = `${matching} ORDER BY ${order} LIMIT ? OFFSET ?`
  return {
    items: mirror.all<Item>(page, ...values, limit, offset),
    total: mirror.value<number>(`SELECT count(*) FROM (${matching})`, ...values) ?? 0,
  }
}

/**
 * A page of a growing table, newest first, and the total number of rows; null while rows are being copied. `count`
 * returns the total if it is known without counting. A row without an id gets its key.
 */
export function newestPage<Item extends { id: string }>(
  context: QueryContext,
  name: 'costs' | 'routes',
  kind: RecordKind<Item>,
  { sql, values }: Where,
  { limit = agentPageSize, offset }: PageParams,
  count?: () => number,
): { items: Item[]; total: number | null } {
  const { mirror } = context
  // The newest rows usually have the last keys. With an index on times, SQLite would sort all rows of the period.
  const keys = mirror.list<number>(
    `SELECT key FROM ${name} WHERE ${sql.replaceAll(/\bat (?=[<>])/g, '+at ')} ORDER BY key DESC LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  )
  return {
    items: sourceRows(context, name, keys, kind.columns).map((row) => ({
      ...kind.from(row),
      id: textOf(row['id']) ?? nameOf(row['key']),
    })),
    total: mirror.tables[name].isComplete
      ? (count?.() ?? mirror.value<number>(`SELECT count(*) FROM ${name} WHERE ${sql}`, ...values))
      : null,
  }
}

/**
 * Rows of a growing table of the project by their keys, newest first, as they are now, each with its `key`. Long texts
 * are not in the mirror and are read here.
 */
export function sourceRows(
  { mirror, database }: QueryContext,
  name: 'audit' | 'costs' | 'routes',
  keys: readonly number[],
  columns: readonly string[],
  ...computed: string[]
): Row[] {
  const table = mirror.tables[name]
  if (keys.length === 0 || !table.exists) return []
  const key = table.keyOf(database)
  return database.all(
    `SELECT ${[`${key} AS "key"`, database.columns(table.source, columns), ...computed].join(', ')}
     FROM "${table.source}" WHERE ${key} IN (SELECT value FROM json_each(?)) ORDER BY ${key} DESC`,
    JSON.stringify(keys),
  )
}
