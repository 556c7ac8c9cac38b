import Sqlite from 'better-sqlite3'
import { agentPageSize } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentQuery, deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import { wrapConnection } from '../agents-database.ts'
import type { AgentsDatabase, Row } from '../agents-database.ts'
import type { AgentsQuery } from '../agents-query.ts'
import { nameOf, textOf } from '../cell-values.ts'
import { Mirror, mirrorOf } from '../mirror/mirror.ts'
import type { TableName } from '../mirror/tables.ts'
import type { RecordKind } from '../records.ts'

/** Milliseconds of a slice: as long may the owner of the file have to wait. */
const sliceMs = 20
/** After so many milliseconds an answer comes with what is known so far, while the rest is still copied. */
const patienceMs = 700

/** What every answer says of itself. */
export interface Known<Value> {
  missingTables: string[]
  counting: { done: number; total: number } | null
  value: Value
}

export interface QueryContext {
  mirror: Mirror
  database: AgentsDatabase
  now: number
}

/** What a view is asked. A file of all rows asks for more of them than a page has. */
export type Asked<Key extends keyof typeof deskAgentRoutes> = AgentQuery<Key> & { limit?: number | undefined }

/** Given in place of a value that takes another slice, which goes on with this state. */
export class Unfinished {
  readonly state: unknown

  constructor(state: unknown) {
    this.state = state
  }
}

export interface DeskQueryParts<Params, Value> {
  needs: readonly TableName[]
  compute(context: QueryContext, params: Params, state: unknown): Value | Unfinished
}

interface DeskState {
  startedAt: number
  /** What was written before this serial is in the answer. */
  since: number
  isSynced: boolean
  own: unknown
}

/** A query of the desk: brings what it needs into the mirror, in slices, and computes its answer from that. */
export function deskQuery<Params, Value>({
  needs,
  compute,
}: DeskQueryParts<Params, Value>): AgentsQuery<Params, Known<Value>, DeskState> {
  return {
    read(database, params, state) {
      const mirror = mirrorOf(database)
      const now = performance.now()
      const startedAt = state?.startedAt ?? now
      const since = state?.since ?? mirror.look(database)
      if (state?.isSynced !== true) {
        const left = mirror.sync(database, needs, since, now + sliceMs)
        if (left === 'tables' || (left === 'rows' && now - startedAt < patienceMs))
          return { more: { startedAt, since, isSynced: false, own: undefined } }
      }
      const value = compute({ mirror, database, now: Date.now() }, params, state?.own)
      if (value instanceof Unfinished) return { more: { startedAt, since, isSynced: true, own: value.state } }
      const missingTables = needs.flatMap((name) => {
        const { isThere, source } = mirror.tables[name]
        return isThere ? [] : [source]
      })
      return { value: { missingTables, counting: countingOf(mirror, needs, since), value } }
    },
    empty(params) {
      const value = compute({ ...nothingToRead(), now: Date.now() }, params, undefined)
      if (value instanceof Unfinished) throw new Error('No state to continue from')
      return { missingTables: [], counting: null, value }
    },
  }
}

let nothing: Omit<QueryContext, 'now'> | undefined

/** A project without any table: where there is none, the answers are those about it. */
function nothingToRead(): Omit<QueryContext, 'now'> {
  nothing ??= { mirror: Mirror.ofNothing(), database: wrapConnection(new Sqlite(':memory:'), '') }
  return nothing
}

/** Of growing tables that are not copied as they were at the serial `since`: how far that is. */
function countingOf(mirror: Mirror, needs: readonly TableName[], since: number): Known<unknown>['counting'] {
  const growing = needs.map((name) => mirror.tables[name]).filter(({ isGrowing }) => isGrowing)
  if (growing.every((table) => table.isComplete && table.isSynced(since))) return null
  return {
    done: growing.reduce((sum, { rows }) => sum + rows, 0),
    total: growing.reduce((sum, { expectedRows }) => sum + expectedRows, 0),
  }
}

/** Conditions that all have to be true, and their values. */
export interface Where {
  sql: string
  values: (string | number | null)[]
}

type Condition = readonly [sql: string, value: string | number | null | undefined]

/** Joins those conditions whose value is not undefined. */
export function where(...conditions: readonly Condition[]): Where {
  const used = conditions.filter(([, value]) => value !== undefined)
  return {
    sql: used.length === 0 ? 'TRUE' : used.map(([sql]) => sql).join(' AND '),
    values: used.flatMap(([sql, value]) => (sql.includes('?') ? [value ?? null] : [])),
  }
}

/** Rows whose `search` holds this text, whatever its case. */
export const holding = (q: string | undefined): Condition => [
  'instr(search, ?)',
  q === undefined || q === '' ? undefined : q.toLowerCase(),
]

interface PageParams {
  offset: number
  limit?: number | undefined
}

/** An order by an expression: what is unknown comes last in either direction, and what is equal in the order of `name`. */
export const orderBy = (expression: string, order: 'asc' | 'desc', name: string): string =>
  `(${expression}) IS NULL, (${expression}) ${order}, ${name}`

/** A page of the rows of a small table, and how many there are. */
export function pageOf<Item>(
  mirror: Mirror,
  { select, from, order }: { select: string; from: string; order: string },
  { sql, values }: Where,
  { limit = agentPageSize, offset }: PageParams,
): { items: Item[]; total: number } {
  return {
    items: mirror.all<Item>(
      `SELECT ${select} FROM ${from} WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    ),
    total: mirror.value<number>(`SELECT count(*) FROM ${from} WHERE ${sql}`, ...values) ?? 0,
  }
}

/**
 * A page of the rows of a growing table, newest first, and how many there are; null while rows are still copied. `count`
 * tells that where it need not be counted. A row without an id has that of its place.
 */
export function newestPage<Item extends { id: string }>(
  { mirror, database }: QueryContext,
  name: 'costs' | 'routes',
  kind: RecordKind<Item>,
  { sql, values }: Where,
  { limit = agentPageSize, offset }: PageParams,
  count?: () => number,
): { items: Item[]; total: number | null } {
  // The newest rows are the last keys as a rule: with an index on times all rows of a time would be sorted.
  const keys = mirror.list<number>(
    `SELECT key FROM ${name} WHERE ${sql.replaceAll(/\bat (?=[<>])/g, '+at ')} ORDER BY key DESC LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  )
  return {
    items: sourceRows(mirror, database, name, keys, kind.columns).map((row) => ({
      ...kind.from(row),
      id: textOf(row['id']) ?? nameOf(row['key']),
    })),
    total: mirror.tables[name].isComplete
      ? (count?.() ?? mirror.value<number>(`SELECT count(*) FROM ${name} WHERE ${sql}`, ...values))
      : null,
  }
}

/**
 * Rows of a growing table of the project by their keys, newest first, as they are now; each with its `key`. Long texts are
 * not in the mirror, and are read here.
 */
export function sourceRows(
  mirror: Mirror,
  database: AgentsDatabase,
  name: 'audit' | 'costs' | 'routes',
  keys: readonly number[],
  columns: readonly string[],
  ...computed: string[]
): Row[] {
  const table = mirror.tables[name]
  if (keys.length === 0 || !table.isThere) return []
  const key = table.keyOf(database)
  return database.all(
    `SELECT ${[`${key} AS "key"`, database.columns(table.source, columns), ...computed].join(', ')}
     FROM "${table.source}" WHERE ${key} IN (SELECT value FROM json_each(?)) ORDER BY ${key} DESC`,
    JSON.stringify(keys),
  )
}
