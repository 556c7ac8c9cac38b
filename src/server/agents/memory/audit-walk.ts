import { integerOf } from '../cell-values.ts'
import type { AgentsDatabase } from '../agents-database.ts'
import { textFilter } from '../queries/list-audit.ts'
import type { AgentsMemory } from './agents-memory.ts'
import { isFound, mayHold } from './audit-view.ts'
import type { AuditFilter } from './audit-view.ts'
import { countBelow } from './tape-places.ts'

/** Milliseconds of searching after which a page is sent as it is; the next one goes on. */
const searchMs = 1000
const sliceMs = 20

/** A walk through the rows of a filter, from a place on in one direction. */
export interface Walk {
  direction: 'older' | 'newer'
  /** Rows on this side of it have been looked at; itself it has not been. */
  from: number
  /** Rows that are newer than it are passed over. */
  top: number
  keys: number[]
  wanted: number
  isOver: boolean
}

/** Looks through one block. */
function stepOnce(
  memory: AgentsMemory,
  database: AgentsDatabase,
  walk: Walk,
  filter: AuditFilter,
  q: string | null,
): void {
  const { tape } = memory.audit
  const { blocks } = tape
  const isOlder = walk.direction === 'older'
  const block = isOlder
    ? blocks.findLastIndex(({ keys }) => (keys[0] ?? Infinity) < walk.from)
    : blocks.findIndex(({ keys }) => (keys.at(-1) ?? -Infinity) > walk.from)
  const one = blocks[block]
  if (one === undefined || (!isOlder && walk.from >= walk.top)) {
    walk.isOver = tape.isComplete || !isOlder
    if (!walk.isOver) walk.wanted = walk.keys.length
    return
  }
  const { keys } = one
  const first = isOlder ? countBelow(keys, walk.from) - 1 : countBelow(keys, walk.from + 1)
  const matching = q === null || !mayHold(one, filter) ? null : findText(database, memory, q, one.keys)
  let index = first
  for (; isOlder ? index >= 0 : index < keys.length; index += isOlder ? -1 : 1) {
    if (walk.keys.length >= walk.wanted) break
    const key = keys[index] ?? 0
    walk.from = key
    if (key > walk.top) break
    if (!isFound(blocks, filter, block, index)) continue
    if (q === null || matching?.has(key) === true) walk.keys.push(key)
  }
}

function findText(
  database: AgentsDatabase,
  memory: AgentsMemory,
  q: string,
  keys: Float64Array,
): Set<number> {
  const key = memory.audit.tape.keyOf(database)
  const filter = textFilter(database, q)
  const rows = database.all(
    `SELECT ${key} AS "key" FROM audit_log WHERE ${key} BETWEEN ? AND ? AND (${filter.sql})`,
    keys[0] ?? 0,
    keys.at(-1) ?? 0,
    ...filter.values,
  )
  return new Set(rows.map((row) => integerOf(row['key']) ?? Number.NaN))
}

/** One row more than is wanted tells that there are more. */
export function startWalk(direction: Walk['direction'], from: number, rows: number, top = Infinity): Walk {
  return { direction, from, top, keys: [], wanted: rows + 1, isOver: false }
}

const isDone = (walk: Walk): boolean => walk.isOver || walk.keys.length >= walk.wanted

export interface AuditSearch {
  memory: AgentsMemory
  database: AgentsDatabase
  filter: AuditFilter
  q: string | null
  startedAt: number
}

/** Goes on with the walks for one slice. False where another slice is needed. */
export function goOn(search: AuditSearch, walks: readonly Walk[]): boolean {
  const sliceEnd = performance.now() + sliceMs
  for (const walk of walks) {
    while (!isDone(walk)) {
      stepOnce(search.memory, search.database, walk, search.filter, search.q)
      if (performance.now() - search.startedAt > searchMs) break
      if (performance.now() > sliceEnd) return false
    }
  }
  return true
}

/** The rows that a walk has found for its page. */
export const shownOf = (walk: Walk): number[] => walk.keys.slice(0, Math.max(0, walk.wanted - 1))

/** Where the next page goes on; null where this one was the last. */
export function nextOf(walk: Walk): number | null {
  const shown = shownOf(walk)
  if (walk.keys.length > shown.length) return shown.at(-1) ?? walk.from
  return walk.isOver ? null : walk.from
}
