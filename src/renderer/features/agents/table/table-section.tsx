import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ReactNode, Ref, RefObject } from 'react'
import { plural } from '../../../lib/format.ts'
import { ReadState } from '../components/view.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { ExportLinks } from '../../../components/list/filter-bar.tsx'
import type { ExportRoutes } from '../../../components/list/filter-bar.tsx'
import { NewsLine } from '../../../components/list/news-line.tsx'
import { NoRows } from './table-frame.tsx'
import classes from './table.module.css'
import { newsWords, useFreezeWhileHovered } from '../../../lib/list/use-still-list.ts'
import { useTableRows } from './use-table-rows.ts'
import type { TableAnswer, TableRoute } from './use-table-rows.ts'

interface SectionProps {
  ref?: Ref<HTMLElement>
  title: string
  /** Its whole name, where the title alone does not say it. */
  label?: string
  /** What chooses among the rows. */
  filter?: ReactNode
  /** How many there are, and in which order. */
  note?: ReactNode
  /** News and exports. */
  tools?: ReactNode
  children: ReactNode
}

/** A list below others on a page. */
export function ListSection({ ref, title, label = title, filter, note, tools, children }: SectionProps) {
  return (
    <section {...(ref !== undefined && { ref })} className={classes['section']} aria-label={label}>
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
    <NewsLine
      place="inline"
      keyed={log !== undefined}
      words={newsWords(list.news, noun)}
      onShow={list.showNews}
    />
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

/** An address that leads to a row of a table far down the page leads to the table as well, once all is in its place. */
function useRowShown(row: number, isReady: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  const wasShown = useRef(false)
  const unread = useIsFetching({
    queryKey: ['agents'],
    predicate: ({ state }) => state.data === undefined,
  })
  const show = useEffectEvent(() => {
    if (row > 0 && !wasShown.current) section.current?.scrollIntoView({ block: 'end' })
    wasShown.current = true
  })
  const isSettled = isReady && unread === 0
  useEffect(() => {
    if (isSettled) show()
  }, [isSettled])
  return section
}

interface EventProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly DataColumn<Row>[]
  /** Whether `.` shows its news: of several lists on a page only one has the key. */
  keyed?: boolean
}

/** The newest few rows of the audit. They do not move while the pointer or the focus is on them. */
export function EventTable<Row extends { id: number }>({
  label,
  rows,
  columns,
  keyed = true,
}: EventProps<Row>) {
  const { shown, news, showNews, hand } = useFreezeWhileHovered(rows, ({ id }) => String(id))
  return (
    <div className={classes['under']} {...hand}>
      <NewsLine place="over" words={news && 'New events'} onShow={showNews} keyed={keyed} />
      <ListTable label={label} rows={allRows(shown, label)} columns={columns} most={shown.length} />
    </div>
  )
}
