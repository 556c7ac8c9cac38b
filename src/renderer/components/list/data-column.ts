import type { ReactNode } from 'react'

export interface Column {
  key: string
  label: string
  /** Whether only those hear its label who do not see the table. */
  unseen?: boolean
  /** Whether its cells name their rows. */
  isRowHeader?: boolean
  numeric?: boolean
  mono?: boolean
  /** Whether its text steps back behind that of the others. */
  quiet?: boolean
  /** How it is sorted now; without `onSort` it cannot be sorted. */
  sort?: 'ascending' | 'descending' | 'none'
  onSort?: () => void
}

/** How a table is ordered. */
export interface Sorting<Sort extends string> {
  sort: Sort
  order: 'asc' | 'desc'
}

export interface ColumnHead<Sort extends string = never> {
  /** Its name; in lower case its key. */
  label: string
  numeric?: boolean
  mono?: boolean
  quiet?: boolean
  /** Whether its cells name their rows. */
  isRowHeader?: boolean
  /** What its head orders the table by. */
  sort?: Sort
  /** Begins with the most, or the newest. */
  descends?: boolean
}

export interface DataColumn<Row, Sort extends string = never> extends ColumnHead<Sort> {
  /** Pixels; or at least so many, and its share of the space that is left. */
  width: number | readonly [least: number, share: number]
  /** A field, or what is made of the row. Null is unknown. Text that may be cut can be read whole on a closer look. */
  cell: ShownField<Row> | ((row: Row) => ReactNode)
}

/** The fields of a row that can be shown as they are. */
type ShownField<Row> = keyof Row &
  { [Key in keyof Row]: Row[Key] extends string | number | null ? Key : never }[keyof Row]

export function cellOf<Row>({ cell }: Pick<DataColumn<Row>, 'cell'>, row: Row): ReactNode {
  return typeof cell === 'function' ? cell(row) : (row[cell] as string | number | null)
}

export interface SortControl<Sort extends string> {
  now: Sorting<Sort>
  onSort: (next: Sorting<Sort>) => void
}

/** The heads of a table; pressed once more, a head reverses the order. */
export function columnHeads<Sort extends string>(
  columns: readonly ColumnHead<Sort>[],
  sorting?: SortControl<Sort>,
): Column[] {
  return columns.map(
    ({
      label,
      sort,
      descends = false,
      numeric = false,
      mono = false,
      quiet = false,
      isRowHeader = false,
    }) => {
      const head = { key: label.toLowerCase(), label, numeric, mono, quiet, isRowHeader }
      if (sort === undefined || sorting === undefined) return head
      const { now, onSort } = sorting
      const isSorted = now.sort === sort
      const first = descends ? 'desc' : 'asc'
      const reversed = now.order === 'asc' ? 'desc' : 'asc'
      return {
        ...head,
        sort: isSorted ? (now.order === 'asc' ? 'ascending' : 'descending') : 'none',
        onSort: () => onSort({ sort, order: isSorted ? reversed : first }),
      }
    },
  )
}

type Widths = readonly Pick<DataColumn<never>, 'width'>[]

/** As `grid-template-columns` has them. */
export function gridWidths(columns: Widths): string {
  return columns
    .map(({ width }) => (typeof width === 'number' ? `${width}px` : `minmax(${width[0]}px, ${width[1]}fr)`))
    .join(' ')
}

/** Pixels below which the table scrolls sideways. */
export function leastWidth(columns: Widths, gap: number): number {
  const least = columns.reduce((sum, { width }) => sum + (typeof width === 'number' ? width : width[0]), 0)
  return least + gap * (columns.length - 1)
}
