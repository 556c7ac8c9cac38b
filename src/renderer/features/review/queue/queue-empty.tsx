import { IconCircleCheck, IconFilter, IconInbox } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { queueFilter, withView } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import type { ReviewRow } from '../review.api.ts'
import { texts } from '../review.texts.ts'

interface Props {
  filter: QueueFilter
  counts: StatusCounts | undefined
  recent: readonly ReviewRow[]
}

/** Why the list is empty: no match for the filter, nothing pending, or nothing submitted yet. */
export function QueueEmpty({ filter, counts, recent }: Props) {
  const decided = counts === undefined ? 0 : counts.approved + counts.rejected + counts.revoked
  if (filter.q !== '' || filter.status !== null) {
    const status = filter.status === null ? '' : `${filter.status} `
    const view = filter.view === 'all' || filter.status !== null ? '' : `${filter.view} `
    return (
      <EmptyState icon={IconFilter} title={texts.queue.empty.noMatch(`${status}${view}`, filter.q)}>
        {filter.q !== '' && (
          <Link href={queueFilter.path({ ...filter, q: '' })}>{texts.queue.empty.clearSearch}</Link>
        )}
        {filter.status !== null && (
          <Link href={queueFilter.path({ ...filter, status: null })}>
            {texts.queue.empty.anyStatus(counts === undefined ? null : decided)}
          </Link>
        )}
        {filter.view !== 'all' && (
          <Link href={queueFilter.path(withView(filter, 'all'))}>{texts.queue.empty.searchAll}</Link>
        )}
      </EmptyState>
    )
  }
  if (filter.view === 'pending' && decided > 0) {
    return (
      <EmptyState icon={IconCircleCheck} title={texts.queue.empty.noPending}>
        {recent.length > 0 && <p>{recentlyDecided(recent)}</p>}
        <Link href={queueFilter.path(withView(filter, 'decided'))}>
          {texts.queue.empty.decidedReleases(decided)}
        </Link>
      </EmptyState>
    )
  }
  if (filter.view === 'decided') {
    return <EmptyState icon={IconInbox} title={texts.queue.empty.noDecisions} />
  }
  return <EmptyState icon={IconInbox} title={texts.queue.empty.noSubmissions} />
}

/** `Decided today and yesterday: 6 by Ilse Verbeek and 3 by Tomáš Novák.` */
function recentlyDecided(recent: readonly ReviewRow[]): string {
  const counts = new Map<string, number>()
  for (const { decidedBy } of recent) {
    if (decidedBy !== null) counts.set(decidedBy, (counts.get(decidedBy) ?? 0) + 1)
  }
  return texts.queue.empty.decidedBy([...counts])
}
