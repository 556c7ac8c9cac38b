import type { ReactNode } from 'react'
import { plural } from '../../../lib/format.ts'
import { ReadState } from '../components/read-state.tsx'
import { useRowShown } from '../use-row-shown.ts'
import type { DataColumn } from './data-column.ts'
import { ExportLinks } from './export-links.tsx'
import type { ExportRoutes } from './export-links.tsx'
import classes from './list-section.module.css'
import { ListSection, ListTable } from './list-section.tsx'
import { NewsLine } from './news-line.tsx'
import { NoRows } from './no-rows.tsx'
import { newsWords, useTableRows } from './use-table-rows.ts'
import type { TableAnswer, TableRoute } from './use-table-rows.ts'

interface Props<Row, Answer> {
  /** All rows: `Calls`. */
  title: string
  /** One of them: `call`. */
  noun: string
  /** The table of the project's database that holds the rows. */
  table: string
  routes: ExportRoutes & { list: TableRoute<Answer> }
  query: Record<string, string>
  columns: readonly DataColumn<Row>[]
  /** What tells a row from all others. */
  keyOf: (row: Row) => string
  filter?: ReactNode
  /** Beside the title. */
  note?: ReactNode
  /** In the place of the table while it has no row. */
  empty: ReactNode
  /** What the signs of the table mean. */
  legend?: ReactNode
  /**
   * Newest rows first. It is the log of its page: its place is in the address, and `.` shows its news. Ready once what is
   * above it is there, so that it stays where it is.
   */
  log?: { isReady: boolean }
}

/** A table of any length below others on a page; live updates move no row. */
export function TableSection<Row, Answer extends TableAnswer<Row>>(section: Props<Row, Answer>) {
  const { title, noun, table, routes, query, columns, keyOf, filter, note, empty, legend, log } = section
  const what = title.toLowerCase()
  const list = useTableRows<Row, Answer>({
    route: routes.list,
    query,
    keyOf,
    inAddress: log !== undefined,
    newestFirst: log !== undefined,
  })
  const ref = useRowShown(list.start, log?.isReady === true && list.total > 0)
  const news = (
    <NewsLine inline keyed={log !== undefined} words={newsWords(list.news, noun)} onShow={list.showNews} />
  )
  return (
    <ListSection
      ref={ref}
      title={title}
      filter={filter}
      note={
        <>
          {log !== undefined && list.total > 0 && `${plural(list.total, noun)}, newest first`}
          {note}
        </>
      }
      tools={
        <>
          {legend === undefined && news}
          <ExportLinks routes={routes} query={query} what={what} />
        </>
      }
    >
      <ReadState what={`the ${what}`} read={list} rows={6} height={28} />
      {!list.isPending && list.total === 0 && (
        <NoRows stamp={list.answer?.stamp} table={table} what={title}>
          {empty}
        </NoRows>
      )}
      {list.total > 0 && <ListTable label={title} rows={list} columns={columns} most={12} />}
      {list.total > 0 && legend !== undefined && (
        <footer className={classes['foot']}>
          {legend}
          {news}
        </footer>
      )}
    </ListSection>
  )
}
