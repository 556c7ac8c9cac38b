import { useEffect, useEffectEvent, useId, useRef } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { moveActions, useActions } from '../../lib/keys/actions.ts'
import { useLoadVisible } from '../../lib/list/use-paged-list.ts'
import type { Places } from '../../lib/list/paged-list.ts'
import { useViewState } from '../../lib/state/use-view-state.ts'
import { cellOf, gridWidths, minTableWidth } from './data-column.ts'
import type { DataColumn, SortControl } from './data-column.ts'
import { TableHead } from './table-head.tsx'
import type { Extra } from './tall-scroll.ts'
import { useTallScroll } from './use-tall-scroll.ts'
import classes from './data-table.module.css'

/** Any number of rows, addressed by their index (`place`). */
export interface DataRows<Row> {
  total: number
  /** Whether `total` is final. */
  isWhole?: boolean
  /** Undefined while the row is loading. */
  rowAt: (place: number) => Row | undefined
  /** Identifies the rows. When it changes, the table scrolls to `start`, or to the top. */
  view: string
  start?: number
  /** Grows by the number of places added before the first one. The visible rows stay where they are. */
  origin?: number
  /** Loads the visible rows. */
  loadVisible?: (places: Places) => void
}

/** Rows that are all in memory. */
export function allRows<Row>(rows: readonly Row[], view: string): DataRows<Row> {
  return { total: rows.length, rowAt: (place) => rows[place], view }
}

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

interface Props<Row, Sort extends string> {
  label: string
  rows: DataRows<Row>
  columns: readonly DataColumn<Row, Sort>[]
  /** The value of `grid-template-columns`, for columns that depend on the width of a container. */
  widths?: string
  sorting?: SortControl<Sort>
  state?: (row: Row) => RowState
  /** Rows known to have content below their cells, by place. */
  extras?: readonly Extra[]
  /** A total row below all others. */
  sum?: Row | null
  /** Opens a row by click or Enter, and makes the arrow keys move between rows; without it rows are not interactive. */
  onOpen?: (row: Row, place: number) => void
  /** Selects the row that the keys have moved to. A click then only selects a row. */
  onSelect?: ((place: number) => void) | undefined
  /** Makes j and k move by a row, under these labels; for the only table of a page. */
  walk?: Record<'next' | 'previous', string>
  /** Marks a row, by the space bar or a click on an element with `data-mark`. */
  onMark?: (row: Row) => void
  /** Expands or collapses a row, by arrow keys or a click on an element with `data-toggle`. Makes the table a tree. */
  onToggle?: (row: Row) => void
  /** Whether rows extend to both edges of the page, over the gutter (`--gutter`). */
  bleed?: boolean
  rowHeight?: number
  /** Pixels between two columns. */
  gap?: number
  /** Whether to take the focus when mounted, because it replaces the focused element. */
  takeFocus?: boolean
  /** Whether to stay at the end while rows are added. */
  follow?: boolean
  /** Called with false when the person scrolls back from the end, and with true when the end is visible again. */
  onScroll?: (atEnd: boolean) => void
}

const defaultRowHeight = 28
const headHeight = 28
/** Rows rendered beyond the visible ones, on each side. */
const overscan = 6
const noExtras: readonly Extra[] = []
const loading = <i className={classes['unknown']}>Loading…</i>

/**
 * A table of any length that renders only its visible rows. They stay in place when data about other rows arrives. If
 * rows can be opened, the arrow keys move between them.
 */
export function DataTable<Row, Sort extends string = never>({
  label,
  rows,
  columns,
  widths,
  sorting,
  state,
  extras = noExtras,
  sum = null,
  onOpen,
  onSelect,
  walk,
  onMark,
  onToggle,
  bleed = false,
  rowHeight = defaultRowHeight,
  gap = 12,
  takeFocus = false,
  follow = false,
  onScroll,
}: Props<Row, Sort>) {
  const { rowAt, total, isWhole = true, start = 0, origin = 0, loadVisible } = rows
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const view = JSON.stringify([rows.view, start])
  const scroll = useTallScroll({
    scroller,
    extent: { total, rowHeight, extras },
    covered: headHeight + (sum === null ? 0 : rowHeight),
    view,
    start,
    origin,
  })
  const [activeRow, setActiveRow] = useViewState(view, start - origin)
  const active = Math.max(0, activeRow + origin)
  const setActive = (place: number): void => setActiveRow(place - origin)
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

  const stateOf = (row: Row | undefined): RowState => (row === undefined ? undefined : state?.(row)) ?? {}
  const withRow = (act: ((row: Row, place: number) => void) | undefined) => (place: number) => {
    const row = rowAt(place)
    if (row !== undefined) act?.(row, place)
  }
  const open = withRow(onOpen)
  const mark = withRow(onMark)
  const toggle = withRow(onToggle)
  const go = (to: number): void => {
    const next = Math.max(0, Math.min(total - 1, to))
    setActive(next)
    scroll.show(next)
    onSelect?.(next)
  }
  const parentOf = (place: number): number => {
    const { level = 1 } = stateOf(rowAt(place))
    let parent = place - 1
    while (parent > 0 && (stateOf(rowAt(parent)).level ?? 1) >= level) parent -= 1
    return parent
  }
  const moveByKey = (event: KeyboardEvent): void => {
    if (onOpen === undefined || event.target !== event.currentTarget || total === 0) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor(scroll.viewHeight / rowHeight) - 2)
    const { open: isOpen, level = 1 } = stateOf(rowAt(active))
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(total - 1),
      Enter: () => open(active),
      ' ': () => (onMark === undefined ? (onSelect ?? open) : mark)(active),
      ...(onToggle !== undefined && {
        ArrowRight() {
          if (isOpen === false) toggle(active)
          else if (isOpen === true) go(active + 1)
        },
        ArrowLeft() {
          if (isOpen === true) toggle(active)
          else if (level > 1) go(parentOf(active))
        },
      }),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }
  const press = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null
    const row = target?.closest<HTMLElement>('[data-row-index]') ?? null
    // Links and buttons in a row have actions of their own.
    if (onOpen === undefined || row === null || target?.closest('a, button') !== null) return
    // Selecting text must not open the row.
    if (getSelection()?.isCollapsed === false) return
    const place = Number(row.dataset['rowIndex'])
    setActive(place)
    if (onMark !== undefined && target.closest('[data-mark]') !== null) mark(place)
    else if (onToggle !== undefined && target.closest('[data-toggle]') !== null) toggle(place)
    else (onSelect ?? open)(place)
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

  const role = onOpen === undefined ? 'cell' : 'gridcell'
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
      aria-rowcount={isWhole ? total + (sum === null ? 1 : 2) : -1}
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
          '--table-widths': widths ?? gridWidths(columns),
          '--table-row': `${rowHeight}px`,
          '--table-gap': `${gap}px`,
          ...(widths === undefined && { '--table-min': `${minTableWidth(columns, gap)}px` }),
        } as CSSProperties
      }
    >
      <TableHead columns={columns} sorting={sorting} />
      <div className={classes['rows']} role="rowgroup" style={{ height: scroll.height }}>
        <div className={classes['layer']} role="presentation" style={{ top: scroll.at }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, index) => {
            const place = first + index
            const row = rowAt(place)
            const { id: rowId, tone, selected, under, level, open: isOpen } = stateOf(row)
            return (
              <div
                key={place}
                id={`${id}-${place}`}
                className={classes['row']}
                role="row"
                aria-rowindex={place + 2}
                aria-level={level}
                aria-expanded={isOpen}
                aria-selected={selected}
                data-row-index={place}
                data-row-id={rowId}
                data-tone={tone}
                data-active={onOpen !== undefined && place === active ? '' : undefined}
                style={{ transform: `translateY(${scroll.topOf(place)}px)` }}
              >
                <Cells
                  columns={columns}
                  role={role}
                  render={(column, at) =>
                    row === undefined ? at === 0 && loading : shown(cellOf(column, row))
                  }
                />
                {under}
              </div>
            )
          })}
        </div>
      </div>
      {sum !== null && (
        <div className={classes['foot']} role="rowgroup">
          <div className={classes['row']} role="row" aria-rowindex={total + 2}>
            <Cells
              columns={columns}
              role={role}
              render={(column, at) => (at === 0 ? 'Total' : column.numeric && cellOf(column, sum))}
            />
          </div>
        </div>
      )}
    </div>
  )
}

function shown(value: ReactNode): ReactNode {
  if (value === null) return <i className={classes['unknown']}>unknown</i>
  return typeof value === 'string' ? <span title={value}>{value}</span> : value
}

interface CellsProps<Column> {
  columns: readonly Column[]
  role: string
  render: (column: Column, index: number) => ReactNode
}

function Cells<Column extends Omit<DataColumn<never, string>, 'cell'>>(cells: CellsProps<Column>) {
  return cells.columns.map((column, index) => {
    const { label, isRowHeader = false, numeric = false, mono = false, quiet = false } = column
    return (
      <div
        key={label}
        role={isRowHeader ? 'rowheader' : cells.role}
        data-column={label.toLowerCase()}
        data-numeric={numeric ? '' : undefined}
        data-mono={mono ? '' : undefined}
        data-quiet={quiet ? '' : undefined}
      >
        {cells.render(column, index)}
      </div>
    )
  })
}

interface ListProps<Row> {
  label: string
  rows: DataRows<Row>
  columns: readonly DataColumn<Row>[]
  sum?: Row | null
  /** The number of rows up to which the table grows; more rows scroll. */
  maxRows: number
  gap?: number
}

const line = 1

/** One of several tables on a page. */
export function ListTable<Row>({ maxRows, ...table }: ListProps<Row>) {
  const { rows, sum = null } = table
  const shownRows = Math.min(rows.total, maxRows) + (sum === null ? 0 : 1)
  return (
    <div className={classes['list']} style={{ height: headHeight + shownRows * defaultRowHeight + line }}>
      <DataTable {...table} />
    </div>
  )
}
