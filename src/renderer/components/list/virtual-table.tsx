import { useEffect, useEffectEvent, useId, useRef } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { moveActions, useActions } from '../../lib/keys/actions.ts'
import { useLoadVisible } from '../../lib/list/use-paged-list.ts'
import type { Places } from '../../lib/list/paged-list.ts'
import { useViewState } from '../../lib/state/use-view-state.ts'
import type { Extra } from './tall-scroll.ts'
import { useTallScroll } from './use-tall-scroll.ts'
import { TableHead } from './virtual-table-head.tsx'
import type { Column } from './data-column.ts'
import classes from './virtual-table.module.css'

/** State of a row that is not in its cells. */
export interface RowState {
  /** In the document as `data-row-id`. */
  id?: number | string | undefined
  /** The color of the row. Its cells must say the same in words. */
  tone?: 'bad' | 'warn' | undefined
  /** Whether it is marked, or its details are open. */
  selected?: boolean | undefined
  /** Content below the cells, with the height given in `extras`. */
  under?: ReactNode
  /** In a tree: the level, from 1. */
  level?: number
  /** In a tree: whether the row is expanded; undefined for a row without children. */
  open?: boolean | undefined
}

export interface TableBehavior {
  /** Opens a row by click or Enter; without it rows are not interactive. */
  onOpen?: (row: number) => void
  /** Selects the row that the keys have moved to. A click then only selects a row. */
  onSelect?: ((row: number) => void) | undefined
  /** Makes j and k move by a row, under these labels; for the only table of a page. */
  walk?: Record<'next' | 'previous', string>
  /** Marks a row, by the space bar or a click on an element with `data-mark`. */
  onMark?: (row: number) => void
  /** Expands or collapses a row, by arrow keys or a click on an element with `data-toggle`. Makes the table a tree. */
  onToggle?: (row: number) => void
}

interface Props extends TableBehavior {
  label: string
  columns: readonly Column[]
  /** The value of `grid-template-columns`. */
  widths: string
  /** Pixels between two columns. */
  gap?: number
  /** The width in pixels below which the table scrolls horizontally. */
  minWidth?: number
  total: number
  /** Whether `total` is final. */
  isWhole?: boolean
  /** The cells of a row in the order of the columns; null while it is loading. */
  cells: (row: number) => readonly ReactNode[] | null
  row?: (row: number) => RowState
  /** Rows known to have content below their cells, by place. */
  extras?: readonly Extra[]
  /** The cells of a sticky row at the bottom. */
  foot?: readonly ReactNode[] | null
  /** Loads the visible rows. */
  loadVisible?: ((places: Places) => void) | undefined
  /** Identifies the rows. When it changes, the table scrolls to `start`. */
  view: string
  /** The row at the top of a new view. */
  start?: number
  rowHeight?: number
  /** Whether rows extend to both edges of the page, over the gutter (`--gutter`). */
  bleed?: boolean
  /** Whether to take the focus when mounted, because it replaces the focused element. */
  takeFocus?: boolean
  /** Whether to stay at the end while rows are added. */
  follow?: boolean
  /** Called with false when the person scrolls back from the end, and with true when the end is visible again. */
  onScroll?: (atEnd: boolean) => void
}

const headHeight = 28
/** Rows rendered beyond the visible ones, on each side. */
const overscan = 6
const plainRow: RowState = {}
const noExtras: readonly Extra[] = []

/**
 * A table of any length that renders only its visible rows. They stay in place when data about other rows arrives. If
 * rows can be opened, the arrow keys move between them.
 */
export function VirtualTable(props: Props) {
  const {
    label,
    columns,
    widths,
    gap,
    minWidth,
    total,
    isWhole = true,
    cells,
    row: stateOf = () => plainRow,
    extras = noExtras,
    foot = null,
    loadVisible,
    onOpen,
    onSelect,
    walk,
    onMark,
    onToggle,
    start = 0,
    rowHeight = 28,
    bleed = false,
    takeFocus = false,
    follow = false,
    onScroll,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const view = JSON.stringify([props.view, start])
  const scroll = useTallScroll({
    scroller,
    extent: { total, rowHeight, extras },
    covered: headHeight + (foot === null ? 0 : rowHeight),
    view,
    start,
  })
  const [active, setActive] = useViewState(view, start)
  const first = Math.max(0, scroll.first - overscan)
  const end = Math.min(total, scroll.end + overscan)
  useLoadVisible({ total, loadVisible }, scroll.first, scroll.end)

  const lastTop = useRef(0)
  const reportEnd = (): void => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    const atEnd = scrollHeight - scrollTop - clientHeight < rowHeight
    // Only scrolling back leaves the end: rows that grow or a table that shrinks also hide it.
    if (atEnd || scrollTop < lastTop.current) onScroll?.(atEnd)
    lastTop.current = scrollTop
  }
  const goToEnd = useEffectEvent(() => scroll.goToEnd())
  const followed = follow ? JSON.stringify([view, total]) : null
  useEffect(() => {
    if (followed !== null) goToEnd()
  }, [followed])
  useEffect(() => {
    const element = scroller.current
    if (!follow || element === null) return undefined
    const resized = new ResizeObserver(() => goToEnd())
    resized.observe(element)
    return () => resized.disconnect()
  }, [follow, scroller])

  const focusOnMount = useEffectEvent(() => {
    if (takeFocus) scroller.current?.focus({ preventScroll: true })
  })
  useEffect(() => focusOnMount(), [])

  const go = (to: number): void => {
    const next = Math.max(0, Math.min(total - 1, to))
    setActive(next)
    scroll.show(next)
    onSelect?.(next)
  }
  const moveByKey = (event: KeyboardEvent): void => {
    if (onOpen === undefined || event.target !== event.currentTarget || total === 0) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor(scroll.viewHeight / rowHeight) - 2)
    const { open, level = 1 } = stateOf(active)
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(total - 1),
      Enter: () => onOpen(active),
      ' ': () => (onMark ?? onSelect ?? onOpen)(active),
      ...(onToggle !== undefined && {
        ArrowRight() {
          if (open === false) onToggle(active)
          else if (open === true) go(active + 1)
        },
        ArrowLeft() {
          if (open === true) onToggle(active)
          else if (level > 1) go(parentOf(active))
        },
      }),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }
  const parentOf = (row: number): number => {
    const { level = 1 } = stateOf(row)
    let parent = row - 1
    while (parent > 0 && (stateOf(parent).level ?? 1) >= level) parent -= 1
    return parent
  }
  const press = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null
    const row = target?.closest<HTMLElement>('[data-row-index]') ?? null
    // Links and buttons in a row have actions of their own.
    if (onOpen === undefined || row === null || target?.closest('a, button') !== null) return
    // Selecting text must not open the row.
    if (getSelection()?.isCollapsed === false) return
    const index = Number(row.dataset['rowIndex'])
    setActive(index)
    if (onMark !== undefined && target.closest('[data-mark]') !== null) onMark(index)
    else if (onToggle !== undefined && target.closest('[data-toggle]') !== null) onToggle(index)
    else (onSelect ?? onOpen)(index)
  }
  useActions(
    walk === undefined
      ? []
      : moveActions(walk, (step) => {
          const table = document.getElementById(id)
          // Without the focus, it is not visible which row is active, unless one is selected.
          const isVisible = onSelect !== undefined || table === document.activeElement
          table?.focus({ preventScroll: true })
          if (isVisible) go(active + step)
        }),
  )

  const cellRole = onOpen === undefined ? 'cell' : 'gridcell'
  const isActiveThere = onOpen !== undefined && active >= first && active < end
  return (
    // The role is one of three.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={scroller}
      id={id}
      className={classes['table']}
      role={onToggle !== undefined ? 'treegrid' : onOpen === undefined ? 'table' : 'grid'}
      tabIndex={0}
      aria-label={label}
      aria-rowcount={isWhole ? total + (foot === null ? 1 : 2) : -1}
      aria-colcount={columns.length}
      aria-multiselectable={onMark === undefined ? undefined : true}
      aria-activedescendant={isActiveThere ? `${id}-${active}` : undefined}
      data-ring="inside"
      data-rows={onOpen !== undefined && total > 0 ? '' : undefined}
      data-bleed={bleed ? '' : undefined}
      onScroll={() => {
        scroll.onScroll()
        reportEnd()
      }}
      onKeyDown={moveByKey}
      onClick={press}
      style={
        {
          '--table-widths': widths,
          '--table-row': `${rowHeight}px`,
          ...(gap === undefined ? {} : { '--table-gap': `${gap}px` }),
          ...(minWidth === undefined ? {} : { '--table-min': `${minWidth}px` }),
        } as CSSProperties
      }
    >
      <TableHead columns={columns} />
      <div className={classes['rows']} role="rowgroup" style={{ height: scroll.height }}>
        <div className={classes['layer']} role="presentation" style={{ top: scroll.at }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, index) => {
            const row = first + index
            const state = stateOf(row)
            return (
              <div
                key={row}
                id={`${id}-${row}`}
                className={classes['row']}
                role="row"
                aria-rowindex={row + 2}
                aria-level={state.level}
                aria-expanded={state.open}
                aria-selected={state.selected}
                data-row-index={row}
                data-row-id={state.id}
                data-tone={state.tone}
                data-active={onOpen !== undefined && row === active ? '' : undefined}
                style={{ transform: `translateY(${scroll.topOf(row)}px)` }}
              >
                <Cells columns={columns} cells={cells(row)} role={cellRole} />
                {state.under}
              </div>
            )
          })}
        </div>
      </div>
      {foot !== null && (
        <div className={classes['foot']} role="rowgroup">
          <div className={classes['row']} role="row" aria-rowindex={total + 2}>
            <Cells columns={columns} cells={foot} role={cellRole} />
          </div>
        </div>
      )}
    </div>
  )
}

function Cells({
  columns,
  cells,
  role,
}: {
  columns: readonly Column[]
  cells: readonly ReactNode[] | null
  role: string
}) {
  return columns.map(({ key, isRowHeader, numeric, mono, quiet }, index) => (
    <div
      key={key}
      role={isRowHeader === true ? 'rowheader' : role}
      data-column={key}
      data-numeric={numeric === true ? '' : undefined}
      data-mono={mono === true ? '' : undefined}
      data-quiet={quiet === true ? '' : undefined}
    >
      {cells === null ? null : cells[index]}
    </div>
  ))
}
