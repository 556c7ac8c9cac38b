import type { ReactNode } from 'react'
import type { Extra } from './tall-scroll.ts'
import { VirtualTable } from './virtual-table.tsx'
import type { RowState } from './virtual-table.tsx'
import { cellOf, columnHeads, gridWidths, leastWidth } from './data-column.ts'
import type { DataColumn, SortControl } from './data-column.ts'
import classes from './virtual-table.module.css'

/** Rows of any number, each in its place. */
export interface DataRows<Row> {
  total: number
  /** Whether there are no more of them. */
  isWhole?: boolean
  /** Undefined while the row is read. */
  rowAt: (place: number) => Row | undefined
  /** Other rows begin at `start`, or at the top. */
  view: string
  start?: number
  /** Tells which places are in sight. */
  look?: (first: number, last: number) => void
}

interface Props<Row, Sort extends string> {
  label: string
  rows: DataRows<Row>
  columns: readonly DataColumn<Row, Sort>[]
  sorting?: SortControl<Sort>
  /** What is known of a row beside its cells. */
  state?: (row: Row) => RowState
  extras?: readonly Extra[]
  /** All rows together, under them. */
  sum?: Row | null
  /** With it the arrow keys walk the rows, and Enter opens one. */
  onOpen?: (row: Row) => void
  onWalk?: ((row: Row) => void) | undefined
  onToggle?: (row: Row) => void
  walkByLetters?: boolean
  bleed?: boolean
  rowHeight?: number
  /** Pixels between two columns. */
  gap?: number
}

/** A table whose columns say what their cells show. */
export function DataTable<Row, Sort extends string = never>({
  rows: { rowAt, look, ...rows },
  columns,
  sorting,
  state,
  sum = null,
  onOpen,
  onWalk,
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
      {...rows}
      columns={columnHeads(columns, sorting)}
      widths={gridWidths(columns)}
      gap={gap}
      least={leastWidth(columns, gap)}
      cells={(place) => {
        const row = rowAt(place)
        return columns.map((column, index) => {
          if (row !== undefined) return shown(cellOf(column, row))
          return (
            index === 0 && (
              <i key="reading" className={classes['unknown']}>
                Reading…
              </i>
            )
          )
        })
      }}
      foot={
        sum &&
        columns.map((column, index) => (index === 0 ? 'Together' : column.numeric && cellOf(column, sum)))
      }
      {...(state !== undefined && {
        row(place: number) {
          const row = rowAt(place)
          return row === undefined ? {} : state(row)
        },
      })}
      {...(look !== undefined && { onVisible: look })}
      {...(onOpen !== undefined && { onOpen: withRow(onOpen) })}
      {...(onWalk !== undefined && { onWalk: withRow(onWalk) })}
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
  /** As high as its rows, up to so many; more of them scroll in it. */
  most: number
  gap?: number
}

/** A table below others on a page. */
export function ListTable<Row>({ most, ...table }: ListProps<Row>) {
  const { rows, sum = null } = table
  const shownRows = Math.min(rows.total, most) + (sum === null ? 0 : 1)
  return (
    <div className={classes['list']} style={{ height: headHeight + shownRows * rowHeight + line }}>
      <DataTable rowHeight={rowHeight} {...table} />
    </div>
  )
}

/** Rows that are all there. */
export function allRows<Row>(rows: readonly Row[], view: string): DataRows<Row> {
  return { total: rows.length, rowAt: (place) => rows[place], view }
}
