import type { ReactNode } from 'react'

/** How a table is ordered. */
export interface Sorting<Sort extends string> {
  sort: Sort
  order: 'asc' | 'desc'
}

export interface DataColumn<Row, Sort extends string = never> {
  /** The label; its lower-case form is the key. */
  label: string
  /** Whether the label is only for screen readers. */
  unseen?: boolean
  numeric?: boolean
  mono?: boolean
  /** Whether its text is muted. */
  quiet?: boolean
  /** Whether its cells are row headers. */
  isRowHeader?: boolean
  /** The sort that its heading applies. */
  sort?: Sort
  /** Whether the first click sorts in descending order: the largest or newest first. */
  descends?: boolean
  /** Pixels; or a minimum in pixels and a share of the remaining space. By default an equal share. */
  width?: number | readonly [min: number, share: number]
  /** A field, or a function of the row. Null means unknown. A string also becomes the tooltip, because it may be truncated. */
  cell: ShownField<Row> | ((row: Row) => ReactNode)
}

/** The fields of a row that can be shown without formatting. */
type ShownField<Row> = keyof Row &
  { [Key in keyof Row]: Row[Key] extends string | number | null ? Key : never }[keyof Row]

export function cellOf<Row>({ cell }: Pick<DataColumn<Row>, 'cell'>, row: Row): ReactNode {
  return typeof cell === 'function' ? cell(row) : (row[cell] as string | number | null)
}

export interface SortControl<Sort extends string> {
  now: Sorting<Sort>
  onSort: (next: Sorting<Sort>) => void
}

/** What the heading of a sortable column shows and does. A second click on a heading reverses the order. */
export function headSort<Sort extends string>(
  { sort, descends = false }: Pick<DataColumn<never, Sort>, 'sort' | 'descends'>,
  sorting?: SortControl<Sort>,
) {
  if (sort === undefined || sorting === undefined) return null
  const { now, onSort } = sorting
  const isSorted = now.sort === sort
  const first = descends ? 'desc' : 'asc'
  const reversed = now.order === 'asc' ? 'desc' : 'asc'
  return {
    sort: isSorted ? (now.order === 'asc' ? 'ascending' : 'descending') : 'none',
    onSort: () => onSort({ sort, order: isSorted ? reversed : first }),
  } as const
}

type Widths = readonly Pick<DataColumn<never>, 'width'>[]

/** The value of `grid-template-columns`. */
export function gridWidths(columns: Widths): string {
  return columns
    .map(({ width = [0, 1] }) =>
      typeof width === 'number' ? `${width}px` : `minmax(${width[0]}px, ${width[1]}fr)`,
    )
    .join(' ')
}

/** The width in pixels below which the table scrolls horizontally. */
export function minTableWidth(columns: Widths, gap: number): number {
  const minWidth = columns.reduce(
    (sum, { width = 0 }) => sum + (typeof width === 'number' ? width : width[0]),
    0,
  )
  return minWidth + gap * (columns.length - 1)
}
