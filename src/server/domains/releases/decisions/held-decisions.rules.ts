import { texts } from '../releases.texts.ts'

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
  const who = isOwn ? texts.decisions.you : held.by
  return {
    sentence: texts.decisions.held(who, held, Math.ceil(remainingMs / 1000)),
    next: isOwn ? texts.decisions.undoFirst : texts.decisions.onlyOther(held.by),
  }
}
