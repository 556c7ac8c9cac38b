import type { Icon } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { plural, upperFirst } from '../../../lib/format.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentRead } from '../agents.api.ts'
import { inDesk } from '../../../lib/app/address.ts'
import type { DataColumn, Sorting } from '../../../components/list/data-column.ts'
import { DataTable } from '../../../components/list/data-table.tsx'
import { DropFilters } from '../../../components/list/filter-bar.tsx'
import type { ExportRoutes } from '../../../components/list/filter-bar.tsx'
import { TableFrame } from './table-frame.tsx'
import { newsWords } from '../../../lib/list/use-still-list.ts'
import { useTableRows } from './use-table-rows.ts'
import type { TableAnswer, TableRoute } from './use-table-rows.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import type { FilterState, ViewFilter } from '../../../lib/list/view-filter.ts'

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

type SortedFilter<Sort extends string> = Sorting<Sort> & { q: string }

/** Declares a view that is one table. The address has its filter, its order and its place; live updates move no row. */
export function tablePage<
  Sort extends string,
  Filter extends SortedFilter<Sort>,
  Row,
  Answer extends TableAnswer<Row>,
>(view: TableView<Sort, Filter, Row, Answer>): ComponentType {
  const { title, noun, what, table, routes, columns, controls, placeholder } = view
  const label = upperFirst(what)
  return function TablePage() {
    useTitle(title)
    const [, navigate] = useLocation()
    const state = useViewFilter(view.filter)
    const { filter, show } = state
    const query = view.filter.query(filter)
    const list = useTableRows<Row, Answer>({ route: routes.list, query, keyOf: view.keyOf })
    const { answer } = list
    const drops = view.filter.drops(filter)
    return (
      <TableFrame
        title={title}
        what={what}
        list={{ ...list, newsText: newsWords(list.news, noun), stamp: answer?.stamp ?? null }}
        search={{ q: filter.q, placeholder, onSearch: (q) => show({ q } as Partial<Filter>) }}
        controls={controls({ ...state, answer })}
        count={list.isPending ? '' : plural(list.total, noun)}
        exports={routes}
        query={query}
        table={table}
        empty={
          drops.length === 0 ? (
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
          )
        }
      >
        <DataTable
          label={label}
          rows={list}
          columns={columns}
          sorting={{ now: filter, onSort: (next) => show(next as Partial<Filter>) }}
          onOpen={(row) => navigate(inDesk(agentPlaces.agent(view.agentOf(row))))}
          bleed
          rowHeight={32}
          gap={20}
        />
      </TableFrame>
    )
  }
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
  const { data } = useAgentRead(agentRead(route, { ...query, offset: 0 }))
  return (
    <Link href={href}>
      {label}
      {data !== undefined && data.total !== null && `, ${plural(data.total, noun)}`}
    </Link>
  )
}
