import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode, UIEvent } from 'react'
import { TableHead } from './virtual-table-head.tsx'
import type { Column } from './virtual-table-head.tsx'
import classes from './virtual-table.module.css'

interface Props {
  label: string
  columns: readonly Column[]
  /** The widths of the columns, as `grid-template-columns` has them. */
  widths: string
  /** Pixels between two columns. */
  gap?: number
  /** Pixels that the columns need together; in less the table scrolls sideways. */
  least?: number
  total: number
  /** The cells of a row in the order of the columns; null while it is being read. */
  cells: (row: number) => readonly ReactNode[] | null
  onVisible?: (first: number, last: number) => void
  /** What pressing a row does; without it rows are only read. */
  onOpen?: (row: number) => void
  /** What the space bar, and a press on what has `data-mark`, does to a row; without it nothing is marked. */
  onMark?: (row: number) => void
  isMarked?: (row: number) => boolean
  /** Another view begins at its top. */
  view: string
  /** The row to show when the view begins. */
  start?: number
  rowHeight?: number
  /** Whether it has come in the place of what had the focus. */
  takeFocus?: boolean
  /** What a row is about, in colour; its cells say it in words. */
  tone?: (row: number) => 'bad' | 'warn' | undefined
  /** Stays at its end while rows are added. */
  follow?: boolean
  /** Tells that the end has been left, by scrolling back, or is in sight again. */
  onScroll?: (atEnd: boolean) => void
}

const headHeight = 28

/**
 * A table of any length: only the rows in sight are in the document, in places of a fixed height. Where rows can
 * be opened, the arrow keys walk them.
 */
export function VirtualTable(props: Props) {
  const {
    label,
    columns,
    widths,
    gap,
    least,
    total,
    cells,
    onVisible,
    onOpen,
    onMark,
    isMarked,
    view,
    start = 0,
    rowHeight = 28,
    takeFocus = false,
    tone,
    follow = false,
    onScroll,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [active, setActive] = useState(start)
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const tellVisible = useEffectEvent(() => onVisible?.(first, last))
  useEffect(() => tellVisible(), [first, last])
  const begin = useEffectEvent(() => {
    setActive(start)
    if (start === 0) scroller.current?.scrollTo({ top: 0 })
    else virtualizer.scrollToIndex(start, { align: 'start' })
  })
  useEffect(() => begin(), [view, start])

  const lastTop = useRef(0)
  const tellEnd = ({ currentTarget }: UIEvent<HTMLElement>): void => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget
    const atEnd = scrollHeight - scrollTop - clientHeight < rowHeight
    // Only who scrolls back leaves the end: it also gets out of sight when the table gets lower.
    if (atEnd || scrollTop < lastTop.current) onScroll?.(atEnd)
    lastTop.current = scrollTop
  }
  useEffect(() => {
    const element = scroller.current
    if (!follow || element === null) return undefined
    const goToEnd = (): void => element.scrollTo({ top: element.scrollHeight })
    goToEnd()
    const resized = new ResizeObserver(goToEnd)
    resized.observe(element)
    return () => resized.disconnect()
  }, [follow, total, view])

  const begun = useEffectEvent(() => {
    if (takeFocus) scroller.current?.focus({ preventScroll: true })
  })
  useEffect(() => begun(), [])

  const walk = (event: KeyboardEvent): void => {
    if (onOpen === undefined || event.target !== event.currentTarget || total === 0) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const next = stepTo(event.key, active, page, total)
    if (next === null && event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (next === null && event.key === ' ' && onMark !== undefined) onMark(active)
    else if (next === null) onOpen(active)
    else {
      setActive(next)
      virtualizer.scrollToIndex(next, { align: 'auto' })
    }
  }

  const press = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null
    const row = target?.closest<HTMLElement>('[data-row-index]') ?? null
    // A link in a row leads to where it leads.
    if (onOpen === undefined || row === null || target?.closest('a') !== null) return
    const index = Number(row.dataset['rowIndex'])
    setActive(index)
    if (onMark !== undefined && target.closest('[data-mark]') !== null) onMark(index)
    else onOpen(index)
  }

  const content = (
    <>
      <TableHead columns={columns} />
      <div className={classes['rows']} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start: top }) => (
          <div
            key={index}
            id={`${id}-${index}`}
            className={classes['row']}
            role="row"
            aria-rowindex={index + 2}
            data-row-index={index}
            aria-selected={isMarked?.(index)}
            data-tone={tone?.(index)}
            data-active={onOpen !== undefined && index === active ? '' : undefined}
            style={{ transform: `translateY(${top - headHeight}px)` }}
          >
            <Cells columns={columns} cells={cells(index)} grid={onOpen !== undefined} />
          </div>
        ))}
      </div>
    </>
  )
  const shared = {
    ref: scroller,
    className: classes['table'],
    'aria-label': label,
    'aria-rowcount': total + 1,
    'aria-colcount': columns.length,
    'data-ring': 'inside',
    ...(onScroll === undefined ? {} : { onScroll: tellEnd }),
    style: {
      '--table-widths': widths,
      '--table-row': `${rowHeight}px`,
      ...(gap === undefined ? {} : { '--table-gap': `${gap}px` }),
      ...(least === undefined ? {} : { '--table-min': `${least}px` }),
    } as CSSProperties,
  }
  if (onOpen === undefined) {
    return (
      <div role="table" tabIndex={0} {...shared}>
        {content}
      </div>
    )
  }
  const isActiveThere = active >= first && active <= last && active < total
  return (
    <div
      role="grid"
      tabIndex={0}
      {...shared}
      data-rows={total > 0 ? '' : undefined}
      aria-multiselectable={onMark === undefined ? undefined : true}
      onKeyDown={walk}
      onClick={press}
      {...(isActiveThere ? { 'aria-activedescendant': `${id}-${active}` } : {})}
    >
      {content}
    </div>
  )
}

function stepTo(key: string, active: number, page: number, total: number): number | null {
  const targets: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: total - 1,
  }
  const target = targets[key]
  return target === undefined ? null : Math.max(0, Math.min(total - 1, target))
}

function Cells({
  columns,
  cells,
  grid,
}: {
  columns: readonly Column[]
  cells: readonly ReactNode[] | null
  grid: boolean
}) {
  return columns.map(({ key, numeric, mono }, index) => (
    <div
      key={key}
      role={grid ? 'gridcell' : 'cell'}
      data-column={key}
      data-numeric={numeric === true ? '' : undefined}
      data-mono={mono === true ? '' : undefined}
    >
      {cells === null ? null : cells[index]}
    </div>
  ))
}
