import { queueSorts, queueViews } from '../../../../shared/contracts/desk-review.ts'
import type { QueueSort, QueueView } from '../../../../shared/contracts/desk-review.ts'
import { releaseStatuses } from '../../../../shared/contracts/releases.ts'
import { threadFilters } from '../../../../shared/contracts/thread.ts'
import { choice, searched, viewFilter } from '../../../lib/list/view-filter.ts'

const defaultSort: Record<QueueView, QueueSort> = { pending: 'waiting', decided: 'newest', all: 'newest' }

/** What the queue shows. Only pending releases are filtered by their thread, and only others by status. */
export const queueFilter = viewFilter(
  '/review',
  {
    view: choice(queueViews, 'pending'),
    sort: choice(queueSorts, 'waiting'),
    status: choice(releaseStatuses, null),
    thread: choice(threadFilters, null),
    q: searched,
  },
  (filter, { sort = defaultSort[filter.view] }) => ({
    ...filter,
    sort,
    ...(filter.view === 'pending' ? { status: null } : { thread: null }),
  }),
)
export type QueueFilter = typeof queueFilter.defaults

/** Switches the view: resets the sort, keeps the search text. */
export function withView({ q }: QueueFilter, view: QueueView): QueueFilter {
  return { view, sort: defaultSort[view], status: null, thread: null, q }
}
