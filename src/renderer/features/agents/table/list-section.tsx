import type { ReactNode, Ref } from 'react'
import type { DataColumn } from './data-column.ts'
import { DataTable } from './data-table.tsx'
import type { DataRows } from './data-table.tsx'
import classes from './list-section.module.css'

interface Props {
  ref?: Ref<HTMLElement>
  title: string
  /** What chooses among the rows. */
  filter?: ReactNode
  /** How many there are, and in which order. */
  note: ReactNode
  /** News and exports. */
  tools?: ReactNode
  children: ReactNode
}

/** A table below others on a page. */
export function ListSection({ ref, title, filter, note, tools, children }: Props) {
  return (
    <section {...(ref === undefined ? {} : { ref })} className={classes['section']} aria-label={title}>
      <header className={classes['head']}>
        <h2>{title}</h2>
        {filter}
        <span className={classes['note']}>{note}</span>
        {tools}
      </header>
      {children}
    </section>
  )
}

const rowHeight = 28
const headHeight = 28
const line = 1

interface TableProps<Row> {
  label: string
  rows: DataRows<Row>
  columns: readonly DataColumn<Row>[]
  /** As high as its rows, up to so many; more of them scroll in it. */
  most: number
}

/** The table of a section. */
export function ListTable<Row>({ label, rows, columns, most }: TableProps<Row>) {
  return (
    <div style={{ height: headHeight + Math.min(rows.total, most) * rowHeight + line }}>
      <DataTable label={label} rows={rows} columns={columns} rowHeight={rowHeight} />
    </div>
  )
}
