import type { ReactNode } from 'react'
import type { Places } from '../../lib/list/paged-list.ts'
import type { Extra } from './tall-scroll.ts'
import { VirtualTable } from './virtual-table.tsx'
import type { RowState, TableBehavior } from './virtual-table.tsx'
import { cellOf, columnHeads, gridWidths, minTableWidth } from './data-column.ts'
import type { DataColumn, SortControl } from './data-column.ts'
import classes from './virtual-table.module.css'

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
  loadVisible?: (places: Places) => void
}

interface Props<Row, Sort extends string> extends Pick<TableBehavior, 'onSelect' | 'walk'> {
  label: string
  rows: DataRows<Row>
  columns: readonly DataColumn<Row, Sort>[]
  sorting?: SortControl<Sort>
  /** State of a row that is not in its cells. */
  state?: (row: Row) => RowState
  extras?: readonly Extra[]
  /** A total row below all others. */
  sum?: Row | null
  /** Makes rows selectable with the arrow keys, and opens one with Enter. */
  onOpen?: (row: Row) => void
  onToggle?: (row: Row) => void
  bleed?: boolean
  rowHeight?: number
  /** Pixels between two columns. */
  gap?: number
}

/** A virtual table that renders its cells from column definitions. */
export function DataTable<Row, Sort extends string = never>({
  rows: { rowAt, total, isWhole = true, view, start = 0, loadVisible },
  columns,
  sorting,
  state,
  sum = null,
  onOpen,
  onToggle,
  gap = 12,
  ...table
}: Props<Row, Sort>) {
  const withRow = (act: (row: Row) => void) => (place: number) => {
    const row = rowAt(place)
    if (row !== undefined) act(row)
  }
  return (
    <VirtualTable
      {...table}
      total={total}
      isWhole={isWhole}
      view={view}
      start={start}
      loadVisible={loadVisible}
      columns={columnHeads(columns, sorting)}
      widths={gridWidths(columns)}
      gap={gap}
      minWidth={minTableWidth(columns, gap)}
      cells={(place) => {
        const row = rowAt(place)
        return columns.map((column, index) => {
          if (row !== undefined) return shown(cellOf(column, row))
          return (
            index === 0 && (
              <i key="loading" className={classes['unknown']}>
                Loading…
              </i>
            )
          )
        })
      }}
      foot={
        sum && columns.map((column, index) => (index === 0 ? 'Total' : column.numeric && cellOf(column, sum)))
      }
      {...(state !== undefined && {
        row(place: number) {
          const row = rowAt(place)
          return row === undefined ? {} : state(row)
        },
      })}
      {...(onOpen !== undefined && { onOpen: withRow(onOpen) })}
      {...(onToggle !== undefined && { onToggle: withRow(onToggle) })}
    />
  )
}

function shown(value: ReactNode): ReactNode {
  if (value === null) return <i className={classes['unknown']}>unknown</i>
  return typeof value === 'string' ? <span title={value}>{value}</span> : value
}

const rowHeight = 28
const headHeight = 28
const line = 1

interface ListProps<Row> {
  label: string
  rows: DataRows<Row>
  columns: readonly DataColumn<Row>[]
  sum?: Row | null
  /** The number of rows up to which the table grows; more rows scroll. */
  maxRows: number
  gap?: number
}

/** One of several tables on a page. */
export function ListTable<Row>({ maxRows, ...table }: ListProps<Row>) {
  const { rows, sum = null } = table
  const shownRows = Math.min(rows.total, maxRows) + (sum === null ? 0 : 1)
  return (
    <div className={classes['list']} style={{ height: headHeight + shownRows * rowHeight + line }}>
      <DataTable rowHeight={rowHeight} {...table} />
    </div>
  )
}

/** Rows that are all in memory. */
export function allRows<Row>(rows: readonly Row[], view: string): DataRows<Row> {
  return { total: rows.length, rowAt: (place) => rows[place], view }
}
