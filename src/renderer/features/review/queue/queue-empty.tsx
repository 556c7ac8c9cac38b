import { IconCircleCheck, IconFilter, IconInbox } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { formatCount, listWords, plural } from '../../../lib/format.ts'
import { reviewPath, withView } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import type { ReviewRow } from '../review.api.ts'

interface Props {
  filter: QueueFilter
  counts: StatusCounts | undefined
  recent: readonly ReviewRow[]
}

/** Which of the three it is: nothing for this filter, nothing left, or nothing yet. */
export function QueueEmpty({ filter, counts, recent }: Props) {
  const decided = counts === undefined ? 0 : counts.approved + counts.rejected + counts.revoked
  if (filter.q !== '' || filter.status !== null) {
    const status = filter.status === null ? '' : `${filter.status} `
    const view = filter.view === 'all' || filter.status !== null ? '' : `${filter.view} `
    const text = filter.q === '' ? '' : ` with “${filter.q}”`
    return (
      <EmptyState icon={IconFilter} title={`No ${status}${view}release${text}`}>
        {filter.q !== '' && <Link href={reviewPath(null, { ...filter, q: '' })}>Drop the text</Link>}
        {filter.status !== null && (
          <Link href={reviewPath(null, { ...filter, status: null })}>
            Any status{counts === undefined ? '' : `, ${formatCount(decided)}`}
          </Link>
        )}
        {filter.view !== 'all' && <Link href={reviewPath(null, withView(filter, 'all'))}>Look in all</Link>}
      </EmptyState>
    )
  }
  if (filter.view === 'pending' && decided > 0) {
    return (
      <EmptyState icon={IconCircleCheck} title="Nothing waits for a decision">
        {recent.length > 0 && <p>{doneSince(recent)}</p>}
        <Link href={reviewPath(null, withView(filter, 'decided'))}>{plural(decided, 'decided release')}</Link>
      </EmptyState>
    )
  }
  if (filter.view === 'decided') {
    return <EmptyState icon={IconInbox} title="Nothing has been decided yet" />
  }
  return <EmptyState icon={IconInbox} title="Nothing has been submitted yet" />
}

/** `Today and yesterday 6 by Ilse Verbeek and 3 by Tomáš Novák.` */
function doneSince(recent: readonly ReviewRow[]): string {
  const counts = new Map<string, number>()
  for (const { decidedBy } of recent) {
    if (decidedBy !== null) counts.set(decidedBy, (counts.get(decidedBy) ?? 0) + 1)
  }
  return `Today and yesterday ${listWords([...counts].map(([name, count]) => `${formatCount(count)} by ${name}`))}.`
}
