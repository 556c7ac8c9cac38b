import { useState } from 'react'

interface Options<Row> {
  /** Undefined until they have been read. */
  rows: readonly Row[] | undefined
  /** Another one is another list. */
  identity: string
  keyOf: (row: Row) => string
  /** What differs when other rows would have to move. */
  shapeOf: (row: Row) => string
  /** A row in its place, with its newest values. */
  update: (held: Row, latest: Row) => Row
  /** Whether the rows were read since the list was opened. */
  fresh: boolean
}

/** A whole list that follows the database: values change in place, rows move only when asked. */
export function useHeldRows<Row>({ rows, identity, keyOf, shapeOf, update, fresh }: Options<Row>) {
  const [held, setHeld] = useState<{ identity: string; fresh: boolean; rows: readonly Row[] } | null>(null)
  const isKept = held !== null && held.identity === identity && (held.fresh || !fresh)
  if (!isKept && rows !== undefined) setHeld({ identity, fresh, rows })
  const shown = isKept ? held.rows : (rows ?? [])
  const latest = new Map((rows ?? shown).map((row) => [keyOf(row), row]))
  const shapes = (all: readonly Row[]): string => JSON.stringify(all.map(shapeOf))
  const isOther = rows !== undefined && shapes(shown) !== shapes(rows)
  return {
    rows: shown.map((row) => {
      const newest = latest.get(keyOf(row))
      return newest === undefined ? row : update(row, newest)
    }),
    news: isOther && rows !== undefined ? { added: rows.length - shown.length } : null,
    showNews: (): void => {
      if (rows !== undefined) setHeld({ identity, fresh: true, rows })
    },
  }
}
