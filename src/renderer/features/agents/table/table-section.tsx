import { IconFilter } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { Link } from 'wouter'
import type { z } from 'zod'
import { agentPageSize } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import type { JsonRoute } from '../../../../shared/route-call.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { ExportLinks } from '../../../components/list/filter-bar.tsx'
import type { ExportRoutes } from '../../../components/list/filter-bar.tsx'
import { NewsLine } from '../../../components/list/news-line.tsx'
import { Section } from '../../../components/section.tsx'
import { useTablePlace } from '../../../lib/app/page-address.ts'
import { plural } from '../../../lib/format.ts'
import { byKey, idOf, newestFirst } from '../../../lib/list/paged-list.ts'
import type { KeyOf, ListPage, Places, Placement, RowOf } from '../../../lib/list/paged-list.ts'
import { newRowsLabel, useFreezeWhileHovered, usePagedList } from '../../../lib/list/use-paged-list.ts'
import { useStore } from '../../../lib/state/store.ts'
import { agentRead, pausedSince, whileFollowed } from '../agents.api.ts'
import { NoRows, ReadState } from '../components/view-parts.tsx'
import { texts } from '../agents.texts.ts'
import classes from '../components/view-parts.module.css'

/** A page of a list in a response. */
export interface TableAnswer extends ListPage {
  stamp: AgentStamp
}

export type TableRoute<Answer> = JsonRoute<undefined, z.ZodObject, undefined, z.ZodType<Answer>>

interface Options<Answer extends TableAnswer> {
  route: TableRoute<Answer>
  /** A different query means a different list. */
  query: Record<string, string>
  /** The unique key of a row. */
  keyOf: KeyOf<RowOf<Answer>>
  /** Whether the scroll position is in the address; only one list of a page can have it there. */
  inAddress?: boolean
  placement?: Placement
  /** For a list that has already read some of its rows. */
  opened?: {
    view: string
    start: number
    read: { from: number; page: Answer } | null
    /** Whether the other rows have places yet. */
    isCounted: boolean
  }
}

/** A list of any length that loads only its visible rows. It follows the database, but no row moves on its own. */
export function useTableRows<Answer extends TableAnswer>(list: Options<Answer>) {
  const { route, query, keyOf, inAddress = true, placement = byKey, opened } = list
  const view = opened?.view ?? JSON.stringify([route.path, query])
  const paused = useStore(pausedSince) !== null
  const place = useTablePlace(view, inAddress)
  const start = opened?.start ?? place.start
  const rows = usePagedList({
    page: (offset) => whileFollowed(agentRead(route, { offset, ...query }), paused),
    placement,
    keyOf,
    pageSize: agentPageSize,
    sourceOf: ({ stamp }) => stamp.folder,
    view,
    start,
    opened: opened?.read ?? null,
    enabled: opened?.isCounted !== false,
  })
  return {
    ...rows,
    view,
    start,
    loadVisible(places: Places): void {
      place.onVisible(places.first)
      rows.loadVisible(places)
    },
  }
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
  /** The unique key of a row. */
  keyOf: KeyOf<RowOf<Answer>>
  filter?: ReactNode
  /** Next to the title. */
  note?: ReactNode
  /** Replaces the table while it has no rows; with a link to all rows if it is filtered. */
  empty: { icon: Icon; title: string; all: { href: string; label: string } | null }
  /** Explains the badges in the table. */
  legend?: ReactNode
  /** Newest rows first. The log of a page has its scroll position in the address, and `.` shows its new rows. */
  isLog?: boolean
}

/** A table of any length as a section of a page; live updates move no row. */
export function TableSection<Answer extends TableAnswer>(section: Props<Answer>) {
  const { title, noun, routes, query, empty, legend, isLog = false } = section
  const what = title.toLowerCase()
  const list = useTableRows({
    route: routes.list,
    query,
    keyOf: section.keyOf,
    inAddress: isLog,
    ...(isLog && { placement: newestFirst }),
  })
  const ref = useRowShown(list.start, list.total > 0)
  const newRows = newRowsLabel(list.difference, noun)
  const news = <NewsLine place="inline" keyed={isLog} text={newRows} onShow={list.showNews} />
  return (
    <Section
      ref={ref}
      title={title}
      beside={
        <>
          {section.filter}
          <span>
            {isLog && list.total > 0 && texts.list.newestFirst(plural(list.total, noun))}
            {section.note}
          </span>
        </>
      }
      note={
        <>
          {legend === undefined && news}
          <ExportLinks routes={routes} query={query} what={what} />
        </>
      }
    >
      <ReadState what={texts.list.the(what)} read={list} rows={6} height={28} />
      {!list.isPending && list.total === 0 && (
        <NoRows stamp={list.data?.stamp} table={section.table} what={title}>
          <EmptyState icon={empty.all === null ? empty.icon : IconFilter} title={empty.title}>
            {empty.all && <Link href={empty.all.href}>{empty.all.label}</Link>}
          </EmptyState>
        </NoRows>
      )}
      {list.total > 0 && <ListTable label={title} rows={list} columns={section.columns} maxRows={12} />}
      {list.total > 0 && legend !== undefined && (
        <footer className={classes['legend']}>
          {legend}
          {news}
        </footer>
      )}
    </Section>
  )
}

/** Scrolls the page to its table if the address names one of its rows, once everything above the table has loaded. */
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
  /** Whether `.` shows its new rows; only one list of a page can have the key. */
  keyed?: boolean
}

/** A few of the newest audit rows. They stay in place while the pointer or the focus is on them. */
export function EventTable<Row extends { id: number }>(table: EventProps<Row>) {
  const { label, rows, columns, keyed = true } = table
  const { shown, news, showNews, freezeProps } = useFreezeWhileHovered(rows, idOf)
  return (
    <div className={classes['under']} {...freezeProps}>
      <NewsLine place="over" text={news && texts.list.newEvents} onShow={showNews} keyed={keyed} />
      <ListTable label={label} rows={allRows(shown, label)} columns={columns} maxRows={shown.length} />
    </div>
  )
}
