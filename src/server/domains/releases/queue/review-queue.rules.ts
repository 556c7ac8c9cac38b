import type { QueueSort, QueueView } from '../../../../shared/contracts/desk-review.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'

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

/** What a search of the queue compares. */
export interface SearchedRelease {
  name: string
  publisher: string
  sha256: string
}

export type QueueMatch = (release: SearchedRelease) => boolean

/** Whether a release has the text in its name or publisher, or its digest starts with it; null for a blank search. */
export function queueSearch(q: string | undefined): QueueMatch | null {
  const term = fold((q ?? '').trim())
  if (term === '') return null
  // Names and digests are stored in lower case.
  return ({ name, publisher, sha256 }) =>
    name.includes(term) || sha256.startsWith(term) || fold(publisher).includes(term)
}

/** Those of `ids` that are among `kept`, of which the first is the largest. A byte for each id: a set takes ten times as long. */
export function keepOnly(ids: readonly number[], kept: readonly number[]): number[] {
  const isKept = new Uint8Array((kept[0] ?? 0) + 1)
  for (const id of kept) isKept[id] = 1
  return ids.filter((id) => isKept[id] === 1)
}

/** Letter case counts nowhere in a search. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
