import { queueSorts, queueViews } from '../../../../shared/contracts/desk-review.ts'
import type { QueueSort, QueueView } from '../../../../shared/contracts/desk-review.ts'
import { releaseStatuses } from '../../../../shared/contracts/releases.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { threadFilters } from '../../../../shared/contracts/thread.ts'
import type { ThreadFilter } from '../../../../shared/contracts/thread.ts'

/** What the queue shows; part of the URL. */
export interface QueueFilter {
  view: QueueView
  sort: QueueSort
  status: ReleaseStatus | null
  /** Only for pending releases. */
  thread: ThreadFilter | null
  q: string
}

const defaultSort: Record<QueueView, QueueSort> = { pending: 'waiting', decided: 'newest', all: 'newest' }

export function readFilter(search: string): QueueFilter {
  const params = new URLSearchParams(search)
  const view = oneOf(queueViews, params.get('view')) ?? 'pending'
  return {
    view,
    sort: oneOf(queueSorts, params.get('sort')) ?? defaultSort[view],
    status: view === 'pending' ? null : oneOf(releaseStatuses, params.get('status')),
    thread: view === 'pending' ? oneOf(threadFilters, params.get('thread')) : null,
    q: (params.get('q') ?? '').slice(0, 100),
  }
}

/** The URL of a release, or of the queue for null, with a filter. Defaults are left out. */
export function reviewPath(id: number | null, filter: QueueFilter): string {
  const params = new URLSearchParams()
  if (filter.view !== 'pending') params.set('view', filter.view)
  if (filter.sort !== defaultSort[filter.view]) params.set('sort', filter.sort)
  if (filter.status !== null && filter.view !== 'pending') params.set('status', filter.status)
  if (filter.thread !== null && filter.view === 'pending') params.set('thread', filter.thread)
  if (filter.q !== '') params.set('q', filter.q)
  const path = id === null ? '/review' : `/review/${id}`
  return params.size === 0 ? path : `${path}?${params.toString()}`
}

/** Switches the view: resets the sort, keeps the search text. */
export function withView(filter: QueueFilter, view: QueueView): QueueFilter {
  return { view, sort: defaultSort[view], status: null, thread: null, q: filter.q }
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | null {
  return values.find((one) => one === value) ?? null
}
