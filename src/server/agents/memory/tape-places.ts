import type { Tape } from './row-tape.ts'
import type { Block } from './tape-blocks.ts'

/** A row of a tape. */
export interface Place {
  block: number
  index: number
}

/** How many keys of a block are below this one. */
export function countBelow(keys: Float64Array, key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? 0) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of the newest row whose key is below this one; a block of -1 where there is none. */
export function placeBelow<Cells>(tape: Pick<Tape<Cells>, 'blocks'>, key: number): Place {
  const block = tape.blocks.findLastIndex(({ keys }) => (keys[0] ?? key) < key)
  if (block < 0) return { block: -1, index: -1 }
  return { block, index: countBelow(tape.blocks[block]?.keys ?? new Float64Array(), key) - 1 }
}

/** The key of the row before a row, across blocks; null for the oldest one. */
export function keyBefore<Cells>(blocks: readonly Block<Cells>[], { block, index }: Place): number | null {
  if (index > 0) return blocks[block]?.keys[index - 1] ?? null
  return blocks[block - 1]?.keys.at(-1) ?? null
}
