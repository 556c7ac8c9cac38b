interface Held {
  action: 'approved' | 'rejected'
  decidedBy: number
  by: string
  name: string
  version: string
}

/** Who decided what, when it takes effect, and what `reader` can do about it. */
export function describeHeld(
  held: Held,
  remainingMs: number,
  reader: number,
): { sentence: string; next: string } {
  const isOwn = held.decidedBy === reader
  const who = isOwn ? 'You' : held.by
  const when = `in ${Math.ceil(remainingMs / 1000)} s`
  return {
    sentence: `${who} ${held.action} ${held.name} ${held.version}; this takes effect ${when}.`,
    next: isOwn ? 'Undo that decision first.' : `Only ${held.by} can undo it.`,
  }
}
