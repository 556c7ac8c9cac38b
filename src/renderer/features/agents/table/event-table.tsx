import type { ReactNode } from 'react'
import { useUnderHand } from '../under-hand.ts'
import classes from './event-table.module.css'
import { NewsLine } from './news-line.tsx'

export interface EventColumn<Row> {
  label: string
  /** As CSS has it; columns without a width share what is left. */
  width?: string
  numeric?: boolean
  cell: (row: Row) => ReactNode
}

interface Props<Row> {
  rows: readonly Row[]
  columns: readonly EventColumn<Row>[]
  /** Whether `.` shows its news: of several lists on a page only one has the key. */
  keyed?: boolean
}

/** The newest few rows of the audit. They do not move while the pointer or the focus is on them. */
export function EventTable<Row extends { id: number }>({ rows, columns, keyed = true }: Props<Row>) {
  const { shown, isOther, show, hand } = useUnderHand(rows, ({ id }) => id)
  return (
    <div className={classes['events']} {...hand}>
      <div className={classes['news']}>
        <NewsLine words={isOther ? 'New events' : null} onShow={show} keyed={keyed} />
      </div>
      <table>
        <thead>
          <tr>
            {columns.map(({ label, width, numeric }) => (
              <th key={label} scope="col" style={{ width }} data-numeric={numeric}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.id}>
              {columns.map(({ label, cell, numeric }) => (
                <td key={label} data-numeric={numeric}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What happened; a crash or a failure in red. */
export function EventName({ event }: { event: string | null }) {
  return <b data-bad={/crash|fail/i.test(event ?? '') || undefined}>{event ?? 'unknown'}</b>
}
