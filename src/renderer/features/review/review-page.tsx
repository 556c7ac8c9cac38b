import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { useActions } from '../../lib/actions.ts'
import { findRegion, focusRegion } from '../../lib/regions.ts'
import { useTitle } from '../../lib/use-title.ts'
import { QueueColumn } from './components/queue-column.tsx'
import { ReleasePane } from './components/release-pane.tsx'
import { QueueWidth } from './components/queue-width.tsx'
import { readFilter, reviewPath } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import { deskReleaseQuery } from './review.api.ts'
import classes from './review-page.module.css'
import { usePresence } from './use-presence.ts'
import { useQueue } from './use-queue.ts'

/** The queue at the left, the release at the right, and the one place at its foot that decides. */
export function ReviewPage({ id, me }: { id: number | null; me: DeskPerson }) {
  const [, navigate] = useLocation()
  const filter = readFilter(useSearch())
  const queue = useQueue(filter)
  // The drawer is open over one release; choosing another closes it.
  const [openOver, setOpenOver] = useState<{ id: number | null } | null>(null)
  const drawer = openOver !== null && openOver.id === id
  const setDrawer = (open: boolean): void => setOpenOver(open ? { id } : null)
  const [focusWanted, setFocusWanted] = useState<number | null>(null)
  const release = useQuery({ ...deskReleaseQuery(id ?? 0), enabled: id !== null })
  usePresence(release.data?.id ?? null)
  useTitle(...(release.data === undefined ? [] : [`${release.data.name} ${release.data.version}`]), 'Review')

  const firstId = queue.rowAt(0)?.id
  useEffect(() => {
    if (id === null && firstId !== undefined) navigate(reviewPath(firstId, filter), { replace: true })
  })

  // The neighbours are read ahead, so that a decision by keys may follow the step at once.
  const nextId = queue.neighbour(id, 1)
  const client = useQueryClient()
  useEffect(() => {
    if (nextId !== undefined) void client.prefetchQuery(deskReleaseQuery(nextId))
  }, [client, nextId])

  const select = (to: number | undefined): void => {
    if (to === undefined) return
    setFocusWanted(to)
    if (to !== id) navigate(reviewPath(to, filter))
  }
  const move = (step: 1 | -1): void => select(queue.neighbour(id, step))
  const show = (next: QueueFilter, replace = false): void => navigate(reviewPath(null, next), { replace })
  useActions([
    { id: 'next', label: 'next release', group: 'Move', keys: ['j'], keysOnly: true, run: () => move(1) },
    {
      id: 'previous',
      label: 'previous release',
      group: 'Move',
      keys: ['k'],
      keysOnly: true,
      run: () => move(-1),
    },
    {
      id: 'list',
      label: 'the list',
      group: 'Move',
      keys: ['l'],
      keysOnly: true,
      run: () => {
        const list = findRegion('list')
        if (list !== null && list.offsetParent !== null) {
          focusRegion(list)
          setDrawer(false)
        } else setDrawer(true)
      },
    },
    ...(drawer
      ? [
          {
            id: 'close-list',
            label: 'close the list',
            group: 'Move' as const,
            keys: ['Escape'],
            inFields: true,
            keysOnly: true,
            run: () => setDrawer(false),
          },
        ]
      : []),
    ...(queue.news === 0
      ? []
      : [
          {
            id: 'news',
            label: 'show new rows',
            group: 'Anywhere' as const,
            keys: ['.'],
            run: queue.showNews,
          },
        ]),
  ])

  return (
    <div className={classes['page']} data-drawer={drawer || undefined}>
      <QueueColumn
        filter={filter}
        queue={queue}
        selected={id}
        me={me.id}
        focusWanted={focusWanted}
        onFocused={() => setFocusWanted(null)}
        onFilter={show}
      />
      <QueueWidth />
      {drawer && <div className={classes['scrim']} onClick={() => setDrawer(false)} aria-hidden />}
      <ReleasePane
        key={id}
        id={id}
        me={me}
        queue={queue}
        filter={filter}
        onOpenList={() => setDrawer(true)}
        onNext={() => select(queue.nextPending(id))}
      />
    </div>
  )
}
