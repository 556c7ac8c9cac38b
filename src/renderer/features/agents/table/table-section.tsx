import { useIsFetching, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReactNode, Ref, RefObject } from 'react'
import type { z } from 'zod'
import { agentPageSize } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import type { JsonRoute } from '../../../../shared/route-call.ts'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { ExportLinks } from '../../../components/list/filter-bar.tsx'
import type { ExportRoutes } from '../../../components/list/filter-bar.tsx'
import { NewsLine } from '../../../components/list/news-line.tsx'
import { useTablePlace } from '../../../lib/app/address.ts'
import { plural } from '../../../lib/format.ts'
import { pagesAround } from '../../../lib/list/still-list.ts'
import type { ListPage } from '../../../lib/list/still-list.ts'
import { newsWords, useStillList, useFreezeWhileHovered } from '../../../lib/list/use-still-list.ts'
import { useStore } from '../../../lib/state/store.ts'
import { pausedSince, whileFollowed } from '../agent-live.ts'
import { agentProjectQuery, agentRead } from '../agents.api.ts'
import { NoRows, ReadState } from '../components/view.tsx'
import classes from '../components/view.module.css'

/** A page of a list as the server gives it. */
export interface TableAnswer extends ListPage<unknown> {
  stamp: AgentStamp
}
export type RowOf<Answer extends TableAnswer> = Answer['items'][number]

export type TableRoute<Answer> = JsonRoute<undefined, z.ZodObject, undefined, z.ZodType<Answer>>

interface Options<Answer extends TableAnswer> {
  route: TableRoute<Answer>
  /** Another query has other rows. */
  query: Record<string, string>
  /** What tells a row from all others. */
  keyOf: (row: RowOf<Answer>) => string
  /** Whether the address has the place of the first row in sight: of several lists on a page only one can. */
  inAddress?: boolean
  /** Whether rows are only added before the first one, as to a log that shows its newest ones first. */
  newestFirst?: boolean
}

/** Rows of any number, of which those in sight are read. They follow the database, and none moves unasked. */
export function useTableRows<Answer extends TableAnswer>({
  route,
  query,
  keyOf,
  inAddress = true,
  newestFirst = false,
}: Options<Answer>) {
  const folder = useQuery(agentProjectQuery).data?.folder ?? null
  // What is in sight stays in sight when it becomes known, or changes, of which project the rows are.
  const view = JSON.stringify([route.path, query])
  const paused = useStore(pausedSince) !== null
  const { start, look } = useTablePlace(view, inAddress)
  const [sight, setSight] = useState({ view, first: start, last: start })
  const { first, last } = sight.view === view ? sight : { first: start, last: start }
  const still = useStillList<RowOf<Answer>>({
    identity: JSON.stringify([folder, view]),
    keyOf,
    pageSize: agentPageSize,
    newestFirst,
  })
  // The first page counts.
  const offsets = [...new Set([0, ...pagesAround(first, last, agentPageSize)])]
  const pages = useQueries({
    queries: offsets.map((offset) =>
      whileFollowed(agentRead(route, { ...query, offset: offset === 0 ? 0 : offset + still.drift }), paused),
    ),
  })
  const failed = pages.find(({ error }) => error !== null)
  return {
    ...still.take(
      pages.flatMap(({ data, dataUpdatedAt, isFetching }, index) =>
        data === undefined
          ? []
          : [{ offset: offsets[index] ?? 0, page: data, source: data, isFetching, readAt: dataUpdatedAt }],
      ),
    ),
    /** The newest answer, for what it says beside the rows. */
    answer: pages[0]?.data,
    view,
    start,
    /** Tells which places are in sight, so that their rows are read. */
    look(from: number, to: number): void {
      look(from)
      setSight({ view, first: from, last: to })
    },
    error: failed?.error ?? null,
    refetch: (): void => void (failed ?? pages[0])?.refetch(),
  }
}

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
    <section ref={ref} className={classes['section']} aria-label={label}>
      <header className={classes['line']}>
        <h2>{title}</h2>
        {filter}
        <span className={classes['note']}>{note}</span>
        {tools}
      </header>
      {children}
    </section>
  )
}

interface Props<Answer extends TableAnswer> {
  /** All rows: `Calls`. */
  title: string
  /** One of them: `call`. */
  noun: string
  /** The table of the project's database that holds the rows. */
  table: string
  routes: ExportRoutes & { list: TableRoute<Answer> }
  query: Record<string, string>
  columns: readonly DataColumn<RowOf<Answer>>[]
  /** What tells a row from all others. */
  keyOf: (row: RowOf<Answer>) => string
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
export function TableSection<Answer extends TableAnswer>(section: Props<Answer>) {
  const { title, noun, routes, query, legend } = section
  const what = title.toLowerCase()
  const isLog = section.log !== undefined
  const list = useTableRows({
    route: routes.list,
    query,
    keyOf: section.keyOf,
    inAddress: isLog,
    newestFirst: isLog,
  })
  const ref = useRowShown(list.start, section.log?.isReady === true && list.total > 0)
  const words = newsWords(list.news, noun)
  const news = <NewsLine place="inline" keyed={isLog} words={words} onShow={list.showNews} />
  return (
    <ListSection
      ref={ref}
      title={title}
      filter={section.filter}
      note={
        <>
          {isLog && list.total > 0 && `${plural(list.total, noun)}, newest first`}
          {section.note}
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
        <NoRows stamp={list.answer?.stamp} table={section.table} what={title}>
          {section.empty}
        </NoRows>
      )}
      {list.total > 0 && <ListTable label={title} rows={list} columns={section.columns} most={12} />}
      {list.total > 0 && legend !== undefined && (
        <footer className={classes['line']}>
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
export function EventTable<Row extends { id: number }>(table: EventProps<Row>) {
  const { label, rows, columns, keyed = true } = table
  const { shown, news, showNews, hand } = useFreezeWhileHovered(rows, ({ id }) => String(id))
  return (
    <div className={classes['under']} {...hand}>
      <NewsLine place="over" words={news && 'New events'} onShow={showNews} keyed={keyed} />
      <ListTable label={label} rows={allRows(shown, label)} columns={columns} most={shown.length} />
    </div>
  )
}
