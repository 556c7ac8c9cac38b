import type { AgentsDatabase } from '../agents-database.ts'
import { integerOf } from '../cell-values.ts'
import type { Mirror } from '../mirror/mirror.ts'
import type { Where } from './desk-query.ts'
import { textFilter } from './public-audit.ts'

/** Milliseconds of searching after which an incomplete page is sent; the next page continues. */
const searchMs = 1000
const sliceMs = 20
/** Rows searched for the text at once. */
const searchRows = 1024

/** A scan of the rows that match a filter, from a position in one direction. */
export interface Walk {
  direction: 'older' | 'newer'
  /** The scan continues beyond this id, which is not included. */
  from: number
  /** Rows newer than this are skipped. */
  top: number
  keys: number[]
  target: number
  isExhausted: boolean
}

/** Looks for one row more than requested, to know whether there is another page. */
export function startWalk(direction: Walk['direction'], from: number, rows: number, top = highest): Walk {
  return { direction, from, top, keys: [], target: rows + 1, isExhausted: false }
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
function takeStep({ mirror, database, filter, q }: AuditSearch, walk: Walk): void {
  const isOlder = walk.direction === 'older'
  const limit = q === null ? walk.target - walk.keys.length : searchRows
  const keys = mirror.list<number>(
    `SELECT key FROM audit WHERE ${filter.sql} AND key ${isOlder ? '<' : '>'} ? AND key <= ?
       ORDER BY key ${isOlder ? 'DESC' : 'ASC'} LIMIT ?`,
    ...filter.values,
    walk.from,
    walk.top,
    limit,
  )
  const matching = q === null ? null : findText(mirror, database, q, keys)
  for (const key of keys) {
    if (walk.keys.length >= walk.target) break
    walk.from = key
    if (matching === null || matching.has(key)) walk.keys.push(key)
  }
  if (keys.length === limit || walk.keys.length >= walk.target) return
  if (isOlder && !mirror.tables.audit.isComplete) walk.target = walk.keys.length
  else walk.isExhausted = true
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

const isDone = (walk: Walk): boolean => walk.isExhausted || walk.keys.length >= walk.target

/** Runs the walks for one slice. False if another slice is needed. */
export function runWalks(search: AuditSearch, walks: readonly Walk[]): boolean {
  if (!search.mirror.tables.audit.exists) for (const walk of walks) walk.isExhausted = true
  const sliceEnd = performance.now() + sliceMs
  for (const walk of walks) {
    while (!isDone(walk)) {
      takeStep(search, walk)
      if (performance.now() - search.startedAt > searchMs) break
      if (performance.now() > sliceEnd && !isDone(walk)) return false
    }
  }
  return true
}

/** The rows of the page. */
export const pageKeys = (walk: Walk): number[] => walk.keys.slice(0, Math.max(0, walk.target - 1))

/** Where the next page begins; null if this is the last one. */
export function nextPageFrom(walk: Walk): number | null {
  const page = pageKeys(walk)
  if (walk.keys.length > page.length) return page.at(-1) ?? walk.from
  return walk.isExhausted ? null : walk.from
}
