import { IconFilter, IconRobot } from '@tabler/icons-react'
import { Link, useLocation, useSearch } from 'wouter'
import type { AgentRow } from '../../../../shared/contracts/desk-agents.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { call } from '../../../lib/server/client.ts'
import { plural } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { agentListPath, agentListQuery, allAgents, isNarrowed, readAgentFilter } from './agent-filter.ts'
import type { AgentListFilter } from './agent-filter.ts'
import { useAgentRead } from '../agent-live.ts'
import classes from './agents-page.module.css'
import { agentPageQuery } from '../agents.api.ts'
import { AgentFilters } from './agent-filters.tsx'
import { AgentTable } from './agent-table.tsx'
import { ExportLinks } from '../components/export-links.tsx'
import { NewsLine } from '../components/news-line.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { newsWords, useAgentList } from './use-agent-list.ts'
import { useTablePlace } from '../view-address.ts'

/** All agents, ten thousand of them as well: state, supervisor, module, last activity, spend. */
export function AgentsPage() {
  useTitle('Agents')
  const [, navigate] = useLocation()
  const filter = readAgentFilter(useSearch())
  const query = agentListQuery(filter)
  const view = JSON.stringify(filter)
  const place = useTablePlace(view)
  const list = useAgentList({
    key: ['agents', 'list', filter],
    read: (offset, signal) => call(deskAgentRoutes.listDeskAgents, { query: { ...query, offset }, signal }),
    keyOf: (row: AgentRow) => row.name,
    start: place.start,
  })
  const show = (next: AgentListFilter): void => navigate(agentListPath(next), { replace: true })
  const { head } = list
  return (
    <>
      <ViewHead title="Agents" stamp={head?.stamp ?? null}>
        <div className={classes['search']}>
          <SearchField
            value={filter.q}
            placeholder="Name, source or template"
            onSearch={(q) => show({ ...filter, q })}
          />
        </div>
      </ViewHead>
      <div className={classes['tools']}>
        <AgentFilters filter={filter} head={head} onFilter={show} />
        <div className={classes['news']}>
          <NewsLine words={newsWords(list.news, 'agent')} onShow={list.showNews} />
        </div>
        <ExportLinks
          csv={deskAgentRoutes.exportAgentsCsv}
          json={deskAgentRoutes.exportAgentsJson}
          query={query}
          what="agents"
        />
      </div>
      {list.error !== null && (
        <div className={classes['trouble']}>
          <ReadFailure error={list.error} what="The agents cannot be read" retry={list.retry} />
        </div>
      )}
      {list.loading && list.error === null && <ReadBones rows={12} height={32} what="the agents" />}
      {!list.loading && list.total === 0 && <Nothing filter={filter} />}
      {list.total > 0 && (
        <AgentTable
          list={list}
          filter={filter}
          view={view}
          start={place.start}
          onSort={show}
          onVisible={(first, last) => {
            place.look(first)
            list.look(first, last)
          }}
        />
      )}
    </>
  )
}

function Nothing({ filter }: { filter: AgentListFilter }) {
  if (!isNarrowed(filter)) {
    return (
      <EmptyState icon={IconRobot} title="The project has no agents yet">
        <p>They are listed as soon as the database holds one.</p>
      </EmptyState>
    )
  }
  const { sort, order } = filter
  const drops = [
    { on: filter.q !== '', label: `Drop “${filter.q}”`, next: { ...filter, q: '' } },
    { on: filter.state !== null, label: `Not only ${filter.state}`, next: { ...filter, state: null } },
    {
      on: filter.supervisor !== null,
      label: `Not only those of ${filter.supervisor}`,
      next: { ...filter, supervisor: null },
    },
    {
      on: filter.unsupervised,
      label: 'Also those with a supervisor',
      next: { ...filter, unsupervised: false },
    },
    { on: filter.revoked, label: 'Also other modules', next: { ...filter, revoked: false } },
  ].filter(({ on }) => on)
  return (
    <EmptyState icon={IconFilter} title="No agent for this filter">
      <p className={classes['drops']}>
        {drops.map(({ label, next }) => (
          <Drop key={label} label={label} next={next} />
        ))}
        {drops.length > 1 && <Drop label="Drop every filter" next={{ ...allAgents, sort, order }} />}
      </p>
    </EmptyState>
  )
}

/** Another filter, and how many agents it finds. */
function Drop({ label, next }: { label: string; next: AgentListFilter }) {
  const { data } = useAgentRead(agentPageQuery(next, 0))
  return (
    <Link href={agentListPath(next)}>
      {label}
      {data !== undefined && `, ${plural(data.total, 'agent')}`}
    </Link>
  )
}
