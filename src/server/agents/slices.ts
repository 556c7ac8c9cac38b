import type { AgentsDatabase } from './agents-database.ts'
import { integerOf } from './cell-values.ts'

/** Target time of one slice in milliseconds: the longest the owner of the file waits for us. */
const sliceMs = 25
/** Rows read at once. */
const blockRows = 10_000

export interface SliceState {
  /** The next slice ends before this key. */
  below: number
}

/**
 * Reads the next slice of a large table, from its highest keys down, in blocks of rows. `read` gets the first key of a
 * block, and the key it ends before; it returns whether more rows are wanted. Returns whether the slice was the last one.
 */
export function readSlice(
  database: AgentsDatabase,
  table: string,
  key: string,
  state: Partial<SliceState>,
  read: (from: number, below: number) => boolean,
): boolean {
  const deadline = performance.now() + sliceMs
  // The rows are read twice: to find where a block begins, and for their content.
  database.enlargeCache()
  do {
    const { below = 2 ** 53 } = state
    const first = database.get(
      `SELECT ${key} AS "key" FROM ${table} WHERE ${key} < ? ORDER BY ${key} DESC LIMIT 1 OFFSET ?`,
      below,
      blockRows - 1,
    )
    const from = integerOf(first?.['key'])
    if (!read(from ?? Number.MIN_SAFE_INTEGER, below) || from === null) return true
    state.below = from
  } while (performance.now() < deadline)
  return false
}
