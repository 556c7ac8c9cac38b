import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { focusSoon } from '../../lib/keys/regions.ts'
import { useLoadVisible } from '../../lib/list/use-paged-list.ts'
import type { PagedList } from '../../lib/list/use-paged-list.ts'
import { useNow } from '../../lib/time/use-now.ts'
import classes from './paged-rows.module.css'

const rowHeight = 52
const headHeight = 34

/** A list of rows, followed by recent ones under a heading of their own. */
export interface PagedRowList<Row> extends PagedList<Row> {
  /** The place of a row that has been read. */
  placeOf(id: number | null): number | null
  recent: readonly Row[]
  /** Grows by the number of places added before the first one. */
  origin: number
}

interface Props<Row extends { id: number }> {
  label: string
  list: PagedRowList<Row>
  /** The heading of the recent rows. */
  recentHead?: readonly [left: string, right: string]
  selected: number | null
  /** The place of the selected row if it has not been loaded. */
  hint?: number | null
  /** The focusable element of a row must have the row's id in `data-row`. */
  renderRow: (row: Row, state: { selected: boolean; now: number }) => ReactNode
  focusRequested: number | null
  onFocused: () => void
}

/** A virtual list with rows of a fixed height. */
export function PagedRows<Row extends { id: number }>(props: Props<Row>) {
  const { label, list, recentHead, selected, hint = null, focusRequested, onFocused } = props
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
  useLoadVisible(list, items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1)
  useScrollAnchor(scroller, list.origin)
  // The heading of the recent rows has another height.
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
    if (focusRequested !== null) focusRow(focusRequested)
  }, [focusRequested])
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
          <span className={classes['unread']}>Loading…</span>
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

/** Keeps the visible rows in view when places are added or removed above them. */
function useScrollAnchor(scroller: { current: HTMLElement | null }, origin: number): void {
  const known = useRef(origin)
  useLayoutEffect(() => {
    scroller.current?.scrollBy({ top: (origin - known.current) * rowHeight })
    known.current = origin
  }, [scroller, origin])
}
