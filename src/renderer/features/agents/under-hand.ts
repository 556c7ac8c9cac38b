import { useState } from 'react'
import type { FocusEvent } from 'react'

/**
 * A short list that follows the database, except while the pointer or the focus is in it: then rows keep their
 * places with their newest values, and those that are there no more keep their last ones.
 */
export function useUnderHand<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number) {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [held, setHeld] = useState(rows)
  const isHeld = pointed || focused
  const isOther = isHeld && keysOf(held, keyOf) !== keysOf(rows, keyOf)
  const latest = new Map(rows.map((row) => [keyOf(row), row]))
  const shown = isOther ? held.map((row) => latest.get(keyOf(row)) ?? row) : rows
  if (!isOther && held !== rows) setHeld(rows)
  return {
    shown,
    /** Whether there is another list to show. */
    isOther,
    show: (): void => setHeld(rows),
    /** For the element that holds the rows. */
    hand: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}

function keysOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number): string {
  return JSON.stringify(rows.map(keyOf))
}
