import { queueSorts, queueViews } from '../../../../shared/contracts/desk-review.ts'
import type { QueueSort, QueueView } from '../../../../shared/contracts/desk-review.ts'
import { releaseStatuses } from '../../../../shared/contracts/releases.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'

/** What the queue shows; it stands in the address. */
export interface QueueFilter {
  view: QueueView
  sort: QueueSort
  status: ReleaseStatus | null
  q: string
}

const usualSort: Record<QueueView, QueueSort> = { pending: 'waiting', decided: 'newest', all: 'newest' }

export function readFilter(search: string): QueueFilter {
  const params = new URLSearchParams(search)
  const view = oneOf(queueViews, params.get('view')) ?? 'pending'
  return {
    view,
    sort: oneOf(queueSorts, params.get('sort')) ?? usualSort[view],
    status: view === 'pending' ? null : oneOf(releaseStatuses, params.get('status')),
    q: (params.get('q') ?? '').slice(0, 100),
  }
}

/** The address of a release, or of none, under a filter; what is usual is left out. */
export function reviewPath(id: number | null, filter: QueueFilter): string {
  const params = new URLSearchParams()
  if (filter.view !== 'pending') params.set('view', filter.view)
  if (filter.sort !== usualSort[filter.view]) params.set('sort', filter.sort)
  if (filter.status !== null && filter.view !== 'pending') params.set('status', filter.status)
  if (filter.q !== '') params.set('q', filter.q)
  const path = id === null ? '/review' : `/review/${id}`
  return params.size === 0 ? path : `${path}?${params.toString()}`
}

/** Another view begins with its usual sort, and keeps the text. */
export function withView(filter: QueueFilter, view: QueueView): QueueFilter {
  return { view, sort: usualSort[view], status: null, q: filter.q }
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | null {
  return values.find((one) => one === value) ?? null
}
