import type { Icon } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useLocation } from 'wouter'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { Read } from '../../../components/feedback/loading.tsx'
import type { DataColumn, Sorting } from '../../../components/list/data-column.ts'
import { DataTable } from '../../../components/list/data-table.tsx'
import { NoMatches, FilterBar } from '../../../components/list/filter-bar.tsx'
import type { ExportRoutes, FilterBarProps, NoMatchesProps } from '../../../components/list/filter-bar.tsx'
import { NewsLine } from '../../../components/list/news-line.tsx'
import { inDesk } from '../../../lib/app/page-address.ts'
import { plural, upperFirst } from '../../../lib/format.ts'
import type { KeyOf, RowOf } from '../../../lib/list/paged-list.ts'
import { newRowsLabel } from '../../../lib/list/use-paged-list.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import type { FilterState, ViewFilter } from '../../../lib/list/view-filter.ts'
import { agentRead, useAgentRead } from '../agents.api.ts'
import { NoRows, ReadState, ViewHead } from '../components/view-parts.tsx'
import { texts } from '../agents.texts.ts'
import classes from '../components/view-parts.module.css'
import { useTableRows } from './table-section.tsx'
import type { TableAnswer, TableRoute } from './table-section.tsx'

/** The state of a list that its page shows. */
export interface ListState extends Read {
  /** The number of rows, loaded or not. */
  total: number
  /** Announces rows that are shown on request. */
  newsText: string | null
  showNews: () => void
  stamp: AgentStamp | null
}

interface Texts {
  title: string
  /** All rows: `trust records`. */
  what: string
  /** One row: `record`. */
  noun: string
  /** The columns that are searched. */
  search: string
}

interface Props<Filter> extends Pick<FilterBarProps, 'count' | 'exports' | 'query'> {
  texts: Texts
  state: FilterState<Filter>
  list: ListState
  /** Between the title and the age of the data. */
  head?: ReactNode
  /** The other filters. */
  controls: ReactNode
  /** Under the filters. */
  line?: ReactNode
  /** The table of the project's database that holds the rows. */
  table: string
  /** For the empty state. */
  icon: Icon
  /** The empty state of a filtered list. */
  noMatches: Pick<NoMatchesProps<Filter>, 'icon' | 'title' | 'renderMore'>
  /** Whether rows may still be found. */
  isPartial?: boolean
  /** The table. */
  children: ReactNode
  /** The details of one row. */
  detail?: ReactNode
}

/** A view that is one table, with its head, filters, exports, announcements, and loading, error and empty states. */
export function TableFrame<Filter extends { q: string }>(props: Props<Filter>) {
  const { list, isPartial = false } = props
  const { view, filter, show } = props.state
  const { title, what, search } = props.texts
  return (
    <>
      <ViewHead title={title} stamp={list.stamp}>
        {props.head}
      </ViewHead>
      <FilterBar
        {...props}
        what={what}
        q={filter.q}
        placeholder={search}
        onSearch={(q) => show({ q } as Partial<Filter>)}
      >
        {props.controls}
      </FilterBar>
      {props.line !== undefined && <div className={classes['below']}>{props.line}</div>}
      <NewsLine text={list.newsText} onShow={list.showNews} />
      <div className={classes['state']}>
        <ReadState what={texts.list.the(what)} read={list} rows={12} />
      </div>
      {!list.isPending && !isPartial && list.total === 0 && (
        <NoRows stamp={list.stamp} table={props.table} what={upperFirst(what)}>
          {view.drops(filter).length === 0 ? (
            <EmptyState icon={props.icon} title={texts.list.none(what)}>
              <p>{texts.list.empty(upperFirst(what))}</p>
            </EmptyState>
          ) : (
            <NoMatches {...props.noMatches} view={view} filter={filter} />
          )}
        </NoRows>
      )}
      {list.total > 0 && (
        <div className={classes['body']}>
          <div className={classes['table']} data-old={list.error === null ? undefined : ''}>
            {props.children}
          </div>
          {props.detail}
        </div>
      )}
    </>
  )
}

interface TableView<Filter extends SortedFilter, Answer extends TableAnswer> extends Pick<
  Props<Filter>,
  'texts' | 'table' | 'icon'
> {
  view: ViewFilter<Filter>
  /** The rows, and exports of the same rows. */
  routes: ExportRoutes & { list: TableRoute<Answer> }
  /** The other filters; some need what the latest response says besides its rows. */
  controls: (state: FilterState<Filter> & { answer: Answer | undefined }) => ReactNode
  columns: readonly DataColumn<RowOf<Answer>, Filter['sort']>[]
  /** The unique key of a row. */
  keyOf: KeyOf<RowOf<Answer>>
  /** The agent that opening a row leads to. */
  agentOf: (row: RowOf<Answer>) => string
}

type SortedFilter = Sorting<string> & { q: string }

/** Declares a view that is one table. Filter, order and scroll position are in the address; live updates do not move rows. */
export function tablePage<Filter extends SortedFilter, Answer extends TableAnswer>(
  page: TableView<Filter, Answer>,
): ComponentType {
  const { view, routes } = page
  const { noun, what } = page.texts
  return function TablePage() {
    const [, navigate] = useLocation()
    const state = useViewFilter(view)
    const { filter, show } = state
    const query = view.query(filter)
    const list = useTableRows({ route: routes.list, query, keyOf: page.keyOf })
    const answer = list.data
    return (
      <TableFrame
        {...page}
        state={state}
        list={{ ...list, newsText: newRowsLabel(list.difference, noun), stamp: answer?.stamp ?? null }}
        controls={page.controls({ ...state, answer })}
        count={list.isPending ? '' : plural(list.total, noun)}
        exports={routes}
        query={query}
        noMatches={{
          title: texts.list.noMatches(what),
          renderMore: (next) => <Found route={routes.list} query={view.query(next)} noun={noun} />,
        }}
      >
        <DataTable
          label={upperFirst(what)}
          rows={list}
          columns={page.columns}
          sorting={{ now: filter, onSort: (next) => show(next as Partial<Filter>) }}
          onOpen={(row) => navigate(inDesk(agentPaths.agent(page.agentOf(row))))}
          bleed
          rowHeight={32}
          gap={20}
        />
      </TableFrame>
    )
  }
}

interface FoundProps {
  noun: string
  route: TableRoute<{ total: number | null }>
  query: Record<string, string>
}

/** How many rows another filter matches. */
function Found({ noun, route, query }: FoundProps) {
  const { data } = useAgentRead(agentRead(route, { ...query, offset: 0 }))
  return data !== undefined && data.total !== null && texts.list.found(plural(data.total, noun))
}
