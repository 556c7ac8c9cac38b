import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNow } from '../../../lib/use-now.ts'
import type { QueueFilter } from '../queue-filter.ts'
import type { Queue } from '../use-queue.ts'
import classes from './queue-list.module.css'
import { QueueRowLink } from './queue-row.tsx'

const rowHeight = 52

interface Props {
  queue: Queue
  filter: QueueFilter
  selected: number | null
  focusWanted: number | null
  onFocused: () => void
}

/** The rows; only those in sight are in the document, in places of a fixed height. */
export function QueueList({ queue, filter, selected, focusWanted, onFocused }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const now = useNow()
  const virtualizer = useVirtualizer({
    count: queue.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtualizer.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? -1
  const readMore = useEffectEvent(() => queue.readMore())
  useEffect(() => {
    if (!queue.reading && lastIndex >= queue.rows.length) readMore()
  }, [lastIndex, queue.rows.length, queue.reading])

  const focusRow = useEffectEvent((id: number) => {
    const index = queue.rows.findIndex((row) => row.id === id)
    if (index === -1) return
    virtualizer.scrollToIndex(index, { align: 'auto' })
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: true })
      onFocused()
    })
  })
  useEffect(() => {
    if (focusWanted !== null) focusRow(focusWanted)
  }, [focusWanted])
  const revealSelected = useEffectEvent(() => {
    const index = queue.rows.findIndex((row) => row.id === selected)
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' })
  })
  const present = queue.rows.length > 0
  useEffect(() => {
    if (present) revealSelected()
  }, [selected, present])

  return (
    <div ref={scroller} className={classes['scroller']} tabIndex={-1}>
      <ul className={classes['rows']} style={{ height: virtualizer.getTotalSize() }} aria-label="Releases">
        {items.map(({ index, start }) => {
          const row = queue.rows[index]
          return (
            <li
              key={row?.id ?? `unread-${index}`}
              className={classes['place']}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={queue.total}
              aria-posinset={index + 1}
            >
              {row === undefined ? (
                <span className={classes['unread']}>Reading…</span>
              ) : (
                <QueueRowLink row={row} filter={filter} selected={row.id === selected} now={now} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
