import { IconTableOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { upperFirst } from '../../../lib/format.ts'
import { ReadState, ViewHead } from '../components/view.tsx'
import { FilterBar } from '../../../components/list/filter-bar.tsx'
import type { ExportRoutes } from '../../../components/list/filter-bar.tsx'
import { NewsLine } from '../../../components/list/news-line.tsx'
import classes from './table.module.css'

/** A list as its page needs it. */
export interface ListState {
  /** How many rows there are, or places for them. */
  total: number
  /** Whether nothing has been read yet. */
  isPending: boolean
  error: unknown
  refetch: () => void
  /** What waits until it is asked for, in words. */
  newsText: string | null
  showNews: () => void
  stamp: AgentStamp | null
}

interface Props {
  title: string
  /** All rows: `trust records`. */
  what: string
  list: ListState
  /** Between the title and how old the rows are. */
  head?: ReactNode
  search: { q: string; placeholder: string; onSearch: (q: string) => void }
  /** The other filters. */
  controls: ReactNode
  count: string
  exports: ExportRoutes
  query?: Record<string, string>
  /** Under the filters. */
  line?: ReactNode
  /** The table of the project's database that holds the rows. */
  table: string
  /** Why there is no row, in a database that has the table. */
  empty: ReactNode
  /** The table. */
  children: ReactNode
  /** The details of one row. */
  detail?: ReactNode
}

/** A view that is one table: its head, its filters and exports, its news, and why it shows nothing (yet). */
export function TableFrame(props: Props) {
  const { title, what, list, head, search, controls, count, exports, query = {}, line, detail } = props
  return (
    <>
      <ViewHead title={title} stamp={list.stamp}>
        {head}
      </ViewHead>
      <FilterBar {...search} what={what} count={count} exports={exports} query={query}>
        {controls}
      </FilterBar>
      {line}
      <NewsLine words={list.newsText} onShow={list.showNews} />
      <div className={classes['state']}>
        <ReadState what={`the ${what}`} read={list} rows={12} />
      </div>
      {!list.isPending && list.total === 0 && (
        <NoRows stamp={list.stamp} table={props.table} what={upperFirst(what)}>
          {props.empty}
        </NoRows>
      )}
      {list.total > 0 && (
        <div className={classes['body']}>
          <div className={classes['table']} data-old={list.error === null ? undefined : ''}>
            {props.children}
          </div>
          {detail}
        </div>
      )}
    </>
  )
}

interface NoRowsProps {
  stamp: AgentStamp | null | undefined
  table: string
  /** What is listed: `Trust records`. */
  what: string
  children: ReactNode
}

/** Why a list is empty. Without its table, what it would show is unknown, which is not the same as nothing. */
export function NoRows({ stamp, table, what, children }: NoRowsProps) {
  if (stamp?.missingTables.includes(table) !== true) return children
  return (
    <EmptyState icon={IconTableOff} title={`The database has no table ${table}`}>
      <p>{what} are unknown. They are listed as soon as it is there.</p>
    </EmptyState>
  )
}
