import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ListAndSheet } from '../../components/list/list-and-sheet.tsx'
import { useListMoves } from '../../lib/list/use-list-moves.ts'
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
  // The drawer belongs to one release; selecting another one closes it.
  const [openOver, setOpenOver] = useState<{ id: number | null } | null>(null)
  // The first release is selected automatically, which keeps the drawer open.
  if (openOver !== null && openOver.id !== id) setOpenOver(openOver.id === null ? { id } : null)
  const drawer = openOver !== null && openOver.id === id
  const openList = useCallback(() => setOpenOver({ id }), [id])
  const closeList = useCallback(() => setOpenOver(null), [])
  const [focusTarget, setFocusTarget] = useState<number | null>(null)
  const release = useQuery({ ...deskReleaseQuery(id ?? 0), enabled: id !== null })
  usePresence(release.data?.id ?? null)
  useTitle(
    ...(release.data === undefined ? [] : [`${release.data.name} ${release.data.version}`]),
    texts.pageTitle,
  )

  const firstId = queue.rowAt(0)?.id
  useEffect(() => {
    if (id === null && firstId !== undefined) navigate(queueFilter.path(filter, firstId), { replace: true })
  })

  // Prefetch the next release once this one is shown, so that it can be decided right after a key press.
  const nextId = queue.placeOf(id) === null ? undefined : queue.neighbor(id, 1)
  const client = useQueryClient()
  const isShown = release.isSuccess
  useEffect(() => {
    if (isShown && nextId !== undefined) void prefetchRelease(client, nextId)
  }, [client, nextId, isShown])

  const select = useCallback(
    (to: number | undefined): void => {
      if (to === undefined) return
      setFocusTarget(to)
      if (to !== id) navigate(queueFilter.path(filter, to))
    },
    [id, filter, navigate],
  )
  const nextPending = queue.nextPending(id)
  const goOn = useCallback(() => select(nextPending), [select, nextPending])
  const show = (next: QueueFilter, replace = false): void => navigate(queueFilter.path(next), { replace })
  useListMoves({
    noun: texts.queue.noun,
    drawer,
    onMove: (step) => select(queue.neighbor(id, step)),
    onOpenList: openList,
    onCloseList: closeList,
  })

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
          focusRequested={focusTarget}
          onFocused={() => setFocusTarget(null)}
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
