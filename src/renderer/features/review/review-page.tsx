import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ListAndSheet } from '../../components/list/list-and-sheet.tsx'
import { useListMoves } from '../../lib/list/use-list-moves.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { readAhead } from './changes/base.ts'
import { QueueColumn } from './queue/queue-column.tsx'
import { ReleasePane } from './sheet/release-pane.tsx'
import { readFilter, reviewPath } from './queue/queue-filter.ts'
import type { QueueFilter } from './queue/queue-filter.ts'
import { deskReleaseQuery } from './review.api.ts'
import type { ReviewRelease } from './review.api.ts'
import { usePresence } from './sheet/use-presence.ts'
import { useQueue } from './queue/use-queue.ts'
import type { Queue } from './queue/use-queue.ts'

/** The queue at the left, the release at the right, and the one place at its foot that decides. */
export function ReviewPage({ id, me }: { id: number | null; me: DeskPerson }) {
  const [, navigate] = useLocation()
  const search = useSearch()
  const filter = useMemo(() => readFilter(search), [search])
  const queue = useQueue(filter)
  // The drawer is open over one release; choosing another closes it.
  const [openOver, setOpenOver] = useState<{ id: number | null } | null>(null)
  // The first one is chosen by nobody: over that it stays open.
  if (openOver !== null && openOver.id !== id) setOpenOver(openOver.id === null ? { id } : null)
  const drawer = openOver !== null && openOver.id === id
  const openList = useCallback(() => setOpenOver({ id }), [id])
  const closeList = useCallback(() => setOpenOver(null), [])
  const [focusWanted, setFocusWanted] = useState<number | null>(null)
  const release = useQuery({ ...deskReleaseQuery(id ?? 0), enabled: id !== null })
  usePresence(release.data?.id ?? null)
  useTitle(...(release.data === undefined ? [] : [`${release.data.name} ${release.data.version}`]), 'Review')

  const firstId = queue.rowAt(0)?.id
  useEffect(() => {
    if (id === null && firstId !== undefined) navigate(reviewPath(firstId, filter), { replace: true })
  })

  // The neighbours are read ahead, so that a decision by keys may follow the step at once.
  const nextId = queue.placeOf(id) === null ? undefined : queue.neighbour(id, 1)
  const client = useQueryClient()
  useEffect(() => {
    if (nextId !== undefined) void readAhead(client, nextId)
  }, [client, nextId])

  const select = useCallback(
    (to: number | undefined): void => {
      if (to === undefined) return
      setFocusWanted(to)
      if (to !== id) navigate(reviewPath(to, filter))
    },
    [id, filter, navigate],
  )
  const nextPending = queue.nextPending(id)
  const goOn = useCallback(() => select(nextPending), [select, nextPending])
  const show = (next: QueueFilter, replace = false): void => navigate(reviewPath(null, next), { replace })
  useListMoves({
    noun: 'release',
    drawer,
    onMove: (step) => select(queue.neighbour(id, step)),
    onOpenList: openList,
    onCloseList: closeList,
    onNews: queue.news === 0 ? null : queue.showNews,
  })

  return (
    <ListAndSheet
      what="the queue"
      drawer={drawer}
      onClose={closeList}
      list={
        <QueueColumn
          filter={filter}
          queue={queue}
          selected={id}
          hint={placeInLine(release.data, filter)}
          me={me.id}
          focusWanted={focusWanted}
          onFocused={() => setFocusWanted(null)}
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

/** Where a pending release is in the list, although its row may not have been read. */
function placeInLine(release: ReviewRelease | undefined, { view, sort, q }: QueueFilter): number | null {
  const inLine = view === 'pending' && sort === 'waiting' && q === ''
  return inLine && typeof release?.place === 'number' ? release.place - 1 : null
}

function withoutRelease({ loading, total, counts }: Queue, { q }: QueueFilter) {
  if (loading || total > 0 || counts === undefined) return null
  const any = counts.pending + counts.approved + counts.rejected + counts.revoked > 0
  return any || q !== '' ? 'nothing selected' : 'nothing submitted'
}
