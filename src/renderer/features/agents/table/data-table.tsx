import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { columnHeads, gridWidths, leastWidth } from './data-column.ts'
import type { DataColumn, SortControl } from './data-column.ts'

/** Rows of any number, each in its place. */
export interface DataRows<Row> {
  total: number
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
  /** With it the arrow keys walk the rows, and Enter opens one. */
  onOpen?: (row: Row) => void
  rowHeight?: number
  /** Pixels between two columns. */
  gap?: number
}

/** A table whose columns say what their cells show. */
export function DataTable<Row, Sort extends string = never>({
  label,
  rows,
  columns,
  sorting,
  onOpen,
  rowHeight = 28,
  gap = 12,
}: Props<Row, Sort>) {
  const { total, rowAt, view, start = 0, look } = rows
  return (
    <VirtualTable
      label={label}
      columns={columnHeads(columns, sorting)}
      widths={gridWidths(columns)}
      gap={gap}
      least={leastWidth(columns, gap)}
      total={total}
      rowHeight={rowHeight}
      cells={(place) => {
        const row = rowAt(place)
        return row === undefined ? null : columns.map(({ cell }) => cell(row))
      }}
      view={view}
      start={start}
      {...(look === undefined ? {} : { onVisible: look })}
      {...(onOpen === undefined
        ? {}
        : {
            onOpen(place) {
              const row = rowAt(place)
              if (row !== undefined) onOpen(row)
            },
          })}
    />
  )
}
