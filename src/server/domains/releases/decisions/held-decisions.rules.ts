interface Held {
  action: 'approved' | 'rejected'
  decidedBy: number
  by: string
  name: string
  version: string
}

const verbs = { approved: ['approve', 'approves'], rejected: ['reject', 'rejects'] } as const

/** Who decides what and when, as `reader` is told, and what they can do about it. */
export function describeHeld(
  held: Held,
  remainingMs: number,
  reader: number,
): { sentence: string; next: string } {
  const isOwn = held.decidedBy === reader
  const verb = verbs[held.action][isOwn ? 0 : 1]
  const when = `in ${Math.ceil(remainingMs / 1000)} s`
  return {
    sentence: `${isOwn ? 'You' : held.by} ${verb} ${held.name} ${held.version} ${when}.`,
    next: isOwn ? 'Take that back first.' : `Only ${held.by} can take that back.`,
  }
}
