import type { StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import type { PagedRowList } from '../../../components/list/paged-rows.tsx'
import { useUnlistedRows, walkRows } from '../../../lib/list/decided-rows.ts'
import type { RowWalk } from '../../../lib/list/decided-rows.ts'
import { byKey } from '../../../lib/list/paged-list.ts'
import { usePagedList } from '../../../lib/list/use-paged-list.ts'
import type { ListState } from '../../../lib/list/use-paged-list.ts'
import type { QueueFilter } from './queue-filter.ts'
import { deskReleaseQuery, queuePageQuery } from '../review.api.ts'
import type { ReviewRelease, ReviewRow } from '../review.api.ts'
import { useRecentDecisions } from '../decision/use-recent-decisions.ts'

/** The rows of the queue; `recent` decisions follow pending releases. News are submissions, in the decided view decisions. */
export interface Queue extends PagedRowList<ReviewRow>, RowWalk<ReviewRow>, ListState {
  counts: StatusCounts | undefined
  /** Whether any of the loaded releases has a conversation. */
  hasThreads: boolean
}

export function useQueue(filter: QueueFilter): Queue {
  const list = usePagedList({
    page: (offset) => queuePageQuery(filter, offset),
    placement: byKey,
    keyOf: ({ id }) => id,
    count: ({ counts }) => countFor(filter, counts),
  })
  const { window, total, visible, baseline } = list
  const rows = useUnlistedRows(list, deskReleaseQuery, updateRow)
  const recent = useRecentDecisions(filter, baseline === null ? null : { rows, baseline })

  return {
    ...list,
    ...walkRows({ rows, start: window.start, total, visible, recent, isWaiting }),
    recent,
    counts: list.data?.counts,
    hasThreads: rows.some(({ thread }) => thread !== null),
  }
}

const isWaiting = ({ status, held }: ReviewRow): boolean => status === 'pending' && held === null

/** Releases are never removed, so an increase of this sum is the number of new rows. */
function countFor({ view }: QueueFilter, { pending, approved, rejected, revoked }: StatusCounts): number {
  const decided = approved + rejected + revoked
  return view === 'decided' ? decided : pending + decided
}

function updateRow(row: ReviewRow, release: ReviewRelease): ReviewRow {
  const { status, history, held, statement, firstApproval } = release
  const decision = history[0]
  return {
    ...row,
    status,
    held,
    decidedAt: decision?.decidedAt ?? null,
    decidedBy: decision?.decidedBy ?? null,
    selfApproved: statement?.selfApproved ?? false,
    firstApprovedBy: status === 'pending' ? (firstApproval?.approvedBy ?? null) : null,
    thread: summaryOf(release),
  }
}

function summaryOf({ status, thread: { messages, changesRequested } }: ReviewRelease): ReviewRow['thread'] {
  const last = messages.at(-1)
  if (last === undefined) return null
  const waitingFor = last.kind === 'question' ? 'publisher' : 'reviewer'
  return { messages: messages.length, changesRequested, waitingFor: status === 'pending' ? waitingFor : null }
}
