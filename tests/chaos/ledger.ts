/** The kinds of writes that are interrupted. */
export const writeKinds = ['publish', 'decision', 'upload', 'post', 'setting'] as const
export type WriteKind = (typeof writeKinds)[number]

/** One thing that clients change: what the last acknowledged write made of it. */
export interface Cell {
  value: string
  /** What a write without an answer would make of it. */
  attempted: string | null
  /** The kind of that write. */
  by: WriteKind | null
}

export interface Tally {
  acknowledged: number
  refused: number
  /** Writes that were under way when the server was killed. */
  interrupted: number
  /** Interrupted writes whose effect was there after the restart. */
  kept: number
}

/**
 * What clients were told. A refused write must change nothing, an acknowledged one must stay, and one without an answer
 * must have happened completely or not at all.
 */
export interface Ledger {
  readonly cells: ReadonlyMap<string, Cell>
  readonly tallies: Readonly<Record<WriteKind, Tally>>
  /** Cells changed since the last `settle`. */
  readonly touched: ReadonlySet<string>
  /** Sends one write, which returns whether it was acknowledged, and throws if there was no answer. */
  write(kind: WriteKind, key: string, value: string, send: () => Promise<boolean>): Promise<boolean>
  /** Compares the touched cells with what was found after a restart; returns the violations as sentences. */
  settle(found: (key: string) => string): string[]
}

/** The value of what does not exist. */
export const absent = 'absent'

export function createLedger(): Ledger {
  const cells = new Map<string, Cell>()
  const touched = new Set<string>()
  const tallies = Object.fromEntries(
    writeKinds.map((kind) => [kind, { acknowledged: 0, refused: 0, interrupted: 0, kept: 0 }]),
  ) as Record<WriteKind, Tally>
  const cellOf = (key: string): Cell => {
    const known = cells.get(key)
    if (known !== undefined) return known
    const cell: Cell = { value: absent, attempted: null, by: null }
    cells.set(key, cell)
    return cell
  }
  return {
    cells,
    tallies,
    touched,
    async write(kind, key, value, send) {
      const cell = cellOf(key)
      touched.add(key)
      Object.assign(cell, { attempted: value, by: kind })
      const isAcknowledged = await send()
      if (isAcknowledged) cell.value = value
      tallies[kind][isAcknowledged ? 'acknowledged' : 'refused'] += 1
      Object.assign(cell, { attempted: null, by: null })
      return isAcknowledged
    },
    settle(found) {
      const violations: string[] = []
      for (const key of touched) {
        const cell = cellOf(key)
        const actual = found(key)
        if (cell.by !== null) {
          tallies[cell.by].interrupted += 1
          if (actual === cell.attempted) tallies[cell.by].kept += 1
        }
        if (actual !== cell.value && actual !== cell.attempted) {
          const or = cell.attempted === null ? '' : ` or ${cell.attempted}`
          violations.push(`${key} is ${actual} instead of ${cell.value}${or}`)
        }
        Object.assign(cell, { value: actual, attempted: null, by: null })
      }
      touched.clear()
      return violations
    },
  }
}
