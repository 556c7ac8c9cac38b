import type { AgentsDatabase } from './agents-database.ts'
import { integerOf } from './cell-values.ts'

/** Target time of one slice in milliseconds: the longest the owner of the file waits for us. */
const sliceMs = 25
const firstSlice = 10_000
const maxRows = 200_000

export interface SliceState {
  /** The next slice ends before this key. */
  below: number
  rows: number
}

/**
 * Reads the next slice of a large table, from its highest keys down. `read` gets the first key of the slice, and the
 * key it ends before. Returns whether it was the last slice.
 */
export function readSlice(
  database: AgentsDatabase,
  table: string,
  key: string,
  state: Partial<SliceState>,
  read: (from: number, below: number) => void,
): boolean {
  const { below = 2 ** 53, rows = firstSlice } = state
  const startedAt = performance.now()
  // The rows are read twice: to find where the slice begins, and for their content.
  database.enlargeCache()
  const first = database.get(
    `SELECT ${key} AS "key" FROM ${table} WHERE ${key} < ? ORDER BY ${key} DESC LIMIT 1 OFFSET ?`,
    below,
    rows - 1,
  )
  const from = integerOf(first?.['key'])
  read(from ?? Number.MIN_SAFE_INTEGER, below)
  if (from === null) return true
  state.below = from
  state.rows = nextSlice(rows, performance.now() - startedAt)
  return false
}

/** The number of rows for the next slice, after one of `rows` rows took `ms`. */
function nextSlice(rows: number, ms: number): number {
  const fitting = Math.round((rows * sliceMs) / Math.max(ms, 0.1))
  // At most four times as many, because a single fast slice says little.
  return Math.min(Math.max(Math.min(fitting, rows * 4), firstSlice), maxRows)
}
