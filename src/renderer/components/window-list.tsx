import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { Places } from '../lib/list-window.ts'
import { focusSoon } from '../lib/regions.ts'
import type { WindowedList } from '../lib/use-list-window.ts'
import { useNow } from '../lib/use-now.ts'
import classes from './window-list.module.css'

const rowHeight = 52
const headHeight = 34
/** So often at most, rows are asked for while the list is being scrolled. */
const lookMs = 80

interface Props<Row extends { id: number }> {
  label: string
  list: WindowedList<Row>
  /** What stands over the rows that follow after all places. */
  recentHead?: readonly [left: string, right: string]
  selected: number | null
  /** The place of what is selected, where its row has not been read. */
  hint?: number | null
  /** A row has the attribute `data-row` with its id on what takes the focus. */
  renderRow: (row: Row, state: { selected: boolean; now: number }) => ReactNode
  focusWanted: number | null
  onFocused: () => void
}

/** The rows; only those in sight are in the document, in places of a fixed height. */
export function WindowList<Row extends { id: number }>(props: Props<Row>) {
  const { label, list, recentHead, selected, hint = null, focusWanted, onFocused } = props
  const scroller = useRef<HTMLDivElement>(null)
  const now = useNow()
  const { total, recent } = list
  const virtualizer = useVirtualizer({
    count: total + (recent.length === 0 ? 0 : recent.length + 1),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index === total ? headHeight : rowHeight),
    overscan: 8,
  })
  const items = virtualizer.getVirtualItems()
  useLook(list, items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1)
  useStay(scroller, list.origin)
  // Where the group begins has another height.
  const { measure } = virtualizer
  useEffect(() => measure(), [measure, total, recent.length])

  const indexOf = (id: number): number => {
    const later = recent.findIndex((row) => row.id === id)
    return list.placeOf(id) ?? (later === -1 ? -1 : total + 1 + later)
  }
  const focusRow = useEffectEvent((id: number) => {
    const index = indexOf(id)
    if (index === -1) return
    virtualizer.scrollToIndex(index, { align: 'auto' })
    focusSoon(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${id}"]`), onFocused)
  })
  useEffect(() => {
    if (focusWanted !== null) focusRow(focusWanted)
  }, [focusWanted])
  const revealSelected = useEffectEvent(() => {
    const known = selected === null ? -1 : indexOf(selected)
    const index = known === -1 && hint !== null && hint < total ? hint : known
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' })
  })
  const present = total > 0
  const hinted = hint !== null
  useEffect(() => {
    if (present && (selected !== null || hinted)) revealSelected()
  }, [selected, present, hinted])

  const place = (index: number, start: number): ReactNode => {
    const row = index < total ? list.rowAt(index) : recent[index - total - 1]
    return (
      <li
        key={row?.id ?? `unread-${index}`}
        className={classes['place']}
        style={{ transform: `translateY(${start}px)` }}
        aria-setsize={index < total ? total : recent.length}
        aria-posinset={index < total ? index + 1 : index - total}
      >
        {row === undefined ? (
          <span className={classes['unread']}>Reading…</span>
        ) : (
          props.renderRow(row, { selected: row.id === selected, now })
        )}
      </li>
    )
  }
  const head = items.find(({ index }) => index === total)
  const later = items.filter(({ index }) => index > total)
  return (
    <div ref={scroller} className={classes['scroller']} tabIndex={-1}>
      <div className={classes['rows']} style={{ height: virtualizer.getTotalSize() }}>
        {total > 0 && (
          <ul aria-label={label}>
            {items.filter(({ index }) => index < total).map(({ index, start }) => place(index, start))}
          </ul>
        )}
        {head !== undefined && (
          <p className={classes['head']} style={{ transform: `translateY(${head.start}px)` }}>
            <span>{recentHead?.[0]}</span>
            <span>{recentHead?.[1]}</span>
          </p>
        )}
        {later.length > 0 && (
          <ul aria-label={recentHead?.[0]}>{later.map(({ index, start }) => place(index, start))}</ul>
        )}
      </div>
    </div>
  )
}

/** Has the rows in sight read; while the list is being scrolled, not for each step of it. */
function useLook(list: Pick<WindowedList<never>, 'look' | 'total'>, first: number, end: number): void {
  const last = useRef(0)
  const look = useEffectEvent((places: Places) => {
    last.current = performance.now()
    list.look(places)
  })
  const { total } = list
  useEffect(() => {
    const places = { first: Math.min(first, total), end: Math.min(end, total) }
    const timer = setTimeout(() => look(places), Math.max(0, last.current + lookMs - performance.now()))
    return () => clearTimeout(timer)
  }, [first, end, total])
}

/** When places are added or given up before the first one, what is in sight stays in sight. */
function useStay(scroller: { current: HTMLElement | null }, origin: number): void {
  const known = useRef(origin)
  useLayoutEffect(() => {
    scroller.current?.scrollBy({ top: (origin - known.current) * rowHeight })
    known.current = origin
  }, [scroller, origin])
}
