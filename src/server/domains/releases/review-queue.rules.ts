import type { QueueSort, QueueView } from '../../../shared/contracts/desk-review.ts'
import type { ReleaseStatus } from '../../../shared/contracts/releases.ts'

/** Which releases a queue holds: those in one status, all decided ones, or all. */
export type QueueFilter = ReleaseStatus | 'decided' | 'all'

/** `decided`: newest decision first; `waiting`: oldest submission first. */
export type QueueOrder = 'waiting' | 'newest' | 'decided' | 'name'

/** The filter of a view narrowed to a status; null where nothing can be both. */
export function queueFilter(view: QueueView, status: ReleaseStatus | undefined): QueueFilter | null {
  if (status === undefined) return view
  if (view === 'pending' && status !== 'pending') return null
  if (view === 'decided' && status === 'pending') return null
  return status
}

/** What was decided last stands first among the decided ones; only names are sorted as everywhere. */
export function queueOrder(view: QueueView, sort: QueueSort): QueueOrder {
  return view === 'decided' && sort !== 'name' ? 'decided' : sort
}

export interface QueueSearch {
  /** Part of a name; names are lower case. */
  name: string
  /** Digests from the first on and before the second start with what was asked. */
  digestFrom: string
  digestBefore: string
}

/** Null where nothing is searched. */
export function queueSearch(q: string | undefined): QueueSearch | null {
  const term = fold((q ?? '').trim())
  if (term === '') return null
  const isDigest = /^[0-9a-f]{1,64}$/.test(term)
  return { name: term, digestFrom: isDigest ? term : 'g', digestBefore: isDigest ? `${term}g` : 'g' }
}

/** Letter case counts nowhere in a search. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
