import type { Icon } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { plural } from '../../../lib/format.ts'
import { useAgentRead } from '../agent-live.ts'
import { ReadState } from '../components/read-state.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { inDesk } from '../view-address.ts'
import type { DataColumn, Sorting } from './data-column.ts'
import { DataTable } from './data-table.tsx'
import { DropFilters } from './drop-filters.tsx'
import type { ExportRoutes } from './export-links.tsx'
import { FilterBar } from './filter-bar.tsx'
import { NewsLine } from './news-line.tsx'
import { NoRows } from './no-rows.tsx'
import classes from './table-page.module.css'
import { newsWords, tablePageQuery, useTableRows } from './use-table-rows.ts'
import type { TableAnswer, TableRoute } from './use-table-rows.ts'
import { useViewFilter } from './use-view-filter.ts'
import type { FilterState } from './use-view-filter.ts'
import type { ViewFilter } from './view-filter.ts'

interface TableView<Sort extends string, Filter, Row, Answer> {
  title: string
  /** One row and all of them: `record`, `trust records`. */
  noun: string
  what: string
  /** The table of the project's database that holds the rows. */
  table: string
  /** Rows, and files of the same rows. */
  routes: ExportRoutes & { list: TableRoute<Answer> }
  filter: ViewFilter<Filter>
  /** What the search looks at. */
  placeholder: string
  /** The other filters; they may need what the newest answer says beside its rows. */
  controls: (state: FilterState<Filter> & { answer: Answer | undefined }) => ReactNode
  columns: readonly DataColumn<Row, Sort>[]
  /** What tells a row from all others. */
  keyOf: (row: Row) => string
  /** The agent that a row is about; pressing the row opens it. */
  agentOf: (row: Row) => string
  /** While there is no row at all: `There are no trust records yet`. */
  icon: Icon
  empty: string
}

const columnGap = 20

type SortedFilter<Sort extends string> = Sorting<Sort> & { q: string }

/** Declares a view that is one table. The address has its filter, its order and its place; live updates move no row. */
export function tablePage<
  Sort extends string,
  Filter extends SortedFilter<Sort>,
  Row,
  Answer extends TableAnswer<Row>,
>(view: TableView<Sort, Filter, Row, Answer>): ComponentType {
  return () => <TablePage view={view} />
}

function TablePage<
  Sort extends string,
  Filter extends SortedFilter<Sort>,
  Row,
  Answer extends TableAnswer<Row>,
>({ view }: { view: TableView<Sort, Filter, Row, Answer> }) {
  const { title, noun, what, table, routes, columns, controls, placeholder } = view
  useTitle(title)
  const [, navigate] = useLocation()
  const state = useViewFilter(view.filter)
  const { filter, show } = state
  const query = view.filter.query(filter)
  const list = useTableRows<Row, Answer>({ route: routes.list, query, keyOf: view.keyOf })
  const { answer } = list
  const drops = view.filter.drops(filter)
  const label = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`
  return (
    <>
      <ViewHead title={title} stamp={answer?.stamp ?? null} />
      <FilterBar
        what={what}
        q={filter.q}
        placeholder={placeholder}
        onSearch={(q) => show({ q } as Partial<Filter>)}
        count={list.isPending ? '' : plural(list.total, noun)}
        exports={routes}
        query={query}
      >
        {controls({ ...state, answer })}
      </FilterBar>
      <div className={classes['news']}>
        <NewsLine words={newsWords(list.news, noun)} onShow={list.showNews} />
      </div>
      <div className={classes['state']}>
        <ReadState what={`the ${what}`} read={list} rows={12} />
      </div>
      {!list.isPending && list.total === 0 && (
        <NoRows stamp={answer?.stamp} table={table} what={label}>
          {drops.length === 0 ? (
            <EmptyState icon={view.icon} title={view.empty}>
              <p>{label} are listed as soon as the database holds one.</p>
            </EmptyState>
          ) : (
            <DropFilters title={`No ${noun} for this filter`}>
              {drops.map((drop) => (
                <CountedLink
                  key={drop.label}
                  label={drop.label}
                  href={view.filter.path(drop.next)}
                  noun={noun}
                  route={routes.list}
                  query={view.filter.query(drop.next)}
                />
              ))}
            </DropFilters>
          )}
        </NoRows>
      )}
      {list.total > 0 && (
        <div className={classes['table']}>
          <DataTable
            label={label}
            rows={list}
            columns={columns}
            sorting={{ now: filter, onSort: (next) => show(next as Partial<Filter>) }}
            onOpen={(row) => navigate(inDesk(agentPlaces.agent(view.agentOf(row))))}
            rowHeight={32}
            gap={columnGap}
          />
        </div>
      )}
    </>
  )
}

interface LinkProps {
  label: string
  href: string
  noun: string
  route: TableRoute<{ total: number | null }>
  query: Record<string, string>
}

/** Another filter, and how many rows it finds. */
function CountedLink({ label, href, noun, route, query }: LinkProps) {
  const { data } = useAgentRead(tablePageQuery(route, query, 0))
  return (
    <Link href={href}>
      {label}
      {data !== undefined && data.total !== null && `, ${plural(data.total, noun)}`}
    </Link>
  )
}
