import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ListAndSheet } from '../../components/list/list-and-sheet.tsx'
import { useListSelection } from '../../lib/list/use-list-selection.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { prefetchRelease } from './changes/comparison.ts'
import { QueueColumn } from './queue/queue-column.tsx'
import { ReleasePane } from './sheet/release-pane.tsx'
import { queueFilter } from './queue/queue-filter.ts'
import type { QueueFilter } from './queue/queue-filter.ts'
import { deskReleaseQuery } from './review.api.ts'
import type { ReviewRelease } from './review.api.ts'
import { usePresence } from './sheet/use-presence.ts'
import { useQueue } from './queue/use-queue.ts'
import type { Queue } from './queue/use-queue.ts'
import { texts } from './review.texts.ts'

/** The queue on the left, the selected release on the right, with the decision dock below it. */
export function ReviewPage({ id, me }: { id: number | null; me: DeskPerson }) {
  const [, navigate] = useLocation()
  const search = useSearch()
  const filter = useMemo(() => queueFilter.read(search), [search])
  const queue = useQueue(filter)
  const { drawer, openList, closeList, select, focusRequested, requestFocus } = useListSelection({
    noun: texts.queue.noun,
    id,
    list: queue,
    filter,
    path: queueFilter.path,
  })
  const release = useQuery({ ...deskReleaseQuery(id ?? 0), enabled: id !== null })
  usePresence(release.data?.id ?? null)
  useTitle(
    ...(release.data === undefined ? [] : [`${release.data.name} ${release.data.version}`]),
    texts.pageTitle,
  )

  // Prefetch the next release once this one is shown, so that it can be decided right after a key press.
  const nextId = queue.placeOf(id) === null ? undefined : queue.neighbor(id, 1)
  const client = useQueryClient()
  const isShown = release.isSuccess
  useEffect(() => {
    if (isShown && nextId !== undefined) void prefetchRelease(client, nextId)
  }, [client, nextId, isShown])

  const nextPending = queue.nextPending(id)
  const goOn = useCallback(() => select(nextPending), [select, nextPending])
  const show = (next: QueueFilter, replace = false): void => navigate(queueFilter.path(next), { replace })

  return (
    <ListAndSheet
      what={texts.queue.what}
      drawer={drawer}
      onClose={closeList}
      list={
        <QueueColumn
          filter={filter}
          queue={queue}
          selected={id}
          hint={placeInQueue(release.data, filter)}
          me={me.id}
          focusRequested={focusRequested}
          onFocused={() => requestFocus(null)}
          onFilter={show}
        />
      }
      sheet={
        <ReleasePane
          key={id}
          id={id}
          me={me}
          without={withoutRelease(queue, filter)}
          hasNext={nextPending !== undefined}
          onOpenList={openList}
          onNext={goOn}
        />
      }
    />
  )
}

/** The index of a pending release in the list, even if its row has not been loaded. */
function placeInQueue(release: ReviewRelease | undefined, { view, sort, q }: QueueFilter): number | null {
  const isQueueOrder = view === 'pending' && sort === 'waiting' && q === ''
  return isQueueOrder && typeof release?.place === 'number' ? release.place - 1 : null
}

function withoutRelease({ isPending, total, counts }: Queue, { q }: QueueFilter) {
  if (isPending || total > 0 || counts === undefined) return null
  const any = counts.pending + counts.approved + counts.rejected + counts.revoked > 0
  return any || q !== '' ? 'nothing selected' : 'nothing submitted'
}
