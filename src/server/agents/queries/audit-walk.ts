import type { AgentsDatabase } from '../agents-database.ts'
import { integerOf } from '../cell-values.ts'
import type { Mirror } from '../mirror/mirror.ts'
import type { Where } from './desk-query.ts'
import { textFilter } from './public-audit.ts'

/** Milliseconds of searching after which an incomplete page is sent; the next page continues. */
const searchMs = 1000
const sliceMs = 20
/** Rows searched for the text at once. */
const searchedRows = 1024

/** A scan of the rows that match a filter, from a position in one direction. */
export interface Walk {
  direction: 'older' | 'newer'
  /** The scan continues beyond this id, which is not included. */
  from: number
  /** Rows newer than this are skipped. */
  top: number
  keys: number[]
  wanted: number
  isOver: boolean
}

/** Looks for one row more than requested, to know whether there is another page. */
export function startWalk(direction: Walk['direction'], from: number, rows: number, top = highest): Walk {
  return { direction, from, top, keys: [], wanted: rows + 1, isOver: false }
}

export const highest = Number.MAX_SAFE_INTEGER

export interface AuditSearch {
  mirror: Mirror
  database: AgentsDatabase
  filter: Where
  /** The text that rows must contain; null without a search. */
  q: string | null
  startedAt: number
}

/** Adds the next matching rows. */
function stepOnce({ mirror, database, filter, q }: AuditSearch, walk: Walk): void {
  const isOlder = walk.direction === 'older'
  const limit = q === null ? walk.wanted - walk.keys.length : searchedRows
  const keys = mirror.list<number>(
    `SELECT key FROM audit WHERE ${filter.sql} AND key ${isOlder ? '<' : '>'} ? AND key <= ?
       ORDER BY key ${isOlder ? 'DESC' : 'ASC'} LIMIT ?`,
    ...filter.values,
    walk.from,
    walk.top,
    limit,
  )
  const holding = q === null ? null : findText(mirror, database, q, keys)
  for (const key of keys) {
    if (walk.keys.length >= walk.wanted) break
    walk.from = key
    if (holding === null || holding.has(key)) walk.keys.push(key)
  }
  if (keys.length === limit || walk.keys.length >= walk.wanted) return
  if (isOlder && !mirror.tables.audit.isComplete) walk.wanted = walk.keys.length
  else walk.isOver = true
}

function findText(mirror: Mirror, database: AgentsDatabase, q: string, keys: readonly number[]): Set<number> {
  const key = mirror.tables.audit.keyOf(database)
  const filter = textFilter(database, q)
  const rows = database.all(
    `SELECT ${key} AS "key" FROM audit_log WHERE ${key} IN (SELECT value FROM json_each(?)) AND (${filter.sql})`,
    JSON.stringify(keys),
    ...filter.values,
  )
  return new Set(rows.map((row) => integerOf(row['key']) ?? Number.NaN))
}

const isDone = (walk: Walk): boolean => walk.isOver || walk.keys.length >= walk.wanted

/** Runs the walks for one slice. False if another slice is needed. */
export function goOn(search: AuditSearch, walks: readonly Walk[]): boolean {
  if (!search.mirror.tables.audit.isThere) for (const walk of walks) walk.isOver = true
  const sliceEnd = performance.now() + sliceMs
  for (const walk of walks) {
    while (!isDone(walk)) {
      stepOnce(search, walk)
      if (performance.now() - search.startedAt > searchMs) break
      if (performance.now() > sliceEnd && !isDone(walk)) return false
    }
  }
  return true
}

/** The rows of the page. */
export const shownOf = (walk: Walk): number[] => walk.keys.slice(0, Math.max(0, walk.wanted - 1))

/** Where the next page begins; null if this is the last one. */
export function nextOf(walk: Walk): number | null {
  const shown = shownOf(walk)
  if (walk.keys.length > shown.length) return shown.at(-1) ?? walk.from
  return walk.isOver ? null : walk.from
}
