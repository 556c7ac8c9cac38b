import { IconCircleDashed, IconExternalLink, IconMapPin, IconWorld } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { AgentStamp, AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import { deskAgentTableRoutes } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { EdgeDeployment } from '../../../../shared/contracts/desk-agents-tables.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { call } from '../../../lib/server/client.ts'
import { plural } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { Age } from '../components/age.tsx'
import { AgentStateSign } from '../agents/agent-state.tsx'
import { DropFilters } from '../components/drop-filters.tsx'
import { ExportLinks } from '../components/export-links.tsx'
import { FacetPicker } from '../components/facet-picker.tsx'
import filters from '../components/list-filters.module.css'
import { isMissing, MissingTable } from '../components/missing-table.tsx'
import { NewsLine } from '../components/news-line.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { allEdge, edgePath, edgeQuery, isEdgeNarrowed, readEdgeFilter } from './edge-filter.ts'
import type { EdgeListFilter, EdgeSort } from './edge-filter.ts'
import { sortableColumns } from '../list-filter.ts'
import type { SortableHead } from '../list-filter.ts'
import classes from '../table-page.module.css'
import { newsWords, useAgentList } from '../agents/use-agent-list.ts'
import { inDesk, useTablePlace } from '../view-address.ts'
import { webAddress } from '../web-address.ts'

const heads: readonly SortableHead<EdgeSort>[] = [
  { key: 'agent', label: 'Agent', sort: 'agent' },
  { key: 'worker', label: 'Worker', sort: 'worker' },
  { key: 'region', label: 'Region', sort: 'region' },
  { key: 'status', label: 'Status', sort: 'status' },
]
const age: SortableHead<EdgeSort> = {
  key: 'deployed',
  label: 'Age',
  sort: 'deployed',
  numeric: true,
  descends: true,
}
const widths =
  'minmax(150px, 1.3fr) minmax(90px, 0.9fr) minmax(80px, 0.6fr) minmax(80px, 0.6fr) minmax(160px, 1.6fr) 64px'

/** Where agents have been deployed, and since when. */
export function EdgePage() {
  useTitle('Edge')
  const [, navigate] = useLocation()
  const filter = readEdgeFilter(useSearch())
  const query = edgeQuery(filter)
  const view = JSON.stringify(filter)
  const place = useTablePlace(view)
  const list = useAgentList({
    key: ['agents', 'edge', filter],
    read: (offset, signal) => call(deskAgentTableRoutes.listEdge, { query: { ...query, offset }, signal }),
    keyOf: ({ agent, worker, region }: EdgeDeployment) => JSON.stringify([agent, worker, region]),
    start: place.start,
  })
  const { head } = list
  const show = (next: EdgeListFilter): void => navigate(edgePath(next), { replace: true })
  const columnsOf = (some: readonly SortableHead<EdgeSort>[]) =>
    sortableColumns(some, filter, (sorting) => show({ ...filter, ...sorting }))
  const cells = (at: number): readonly ReactNode[] | null => {
    const row = list.rowAt(at)
    return row === undefined ? null : cellsOf(row)
  }
  return (
    <>
      <ViewHead title="Edge" stamp={head?.stamp ?? null} />
      <div className={filters['bar']}>
        <div className={filters['filters']} role="search" aria-label="Filter the deployments">
          <div className={filters['search']}>
            <SearchField
              value={filter.q}
              placeholder="Agent, worker or address"
              onSearch={(q) => show({ ...filter, q })}
            />
          </div>
          <FacetPicker
            label="Region"
            any="Any region"
            icon={IconMapPin}
            width={140}
            facets={head?.regions}
            value={filter.region}
            onValue={(region) => show({ ...filter, region })}
          />
          <FacetPicker
            label="Status"
            any="Any status"
            icon={IconCircleDashed}
            width={132}
            facets={head?.statuses}
            value={filter.status}
            onValue={(status) => show({ ...filter, status })}
          />
        </div>
        <div className={filters['end']}>
          <span>{!list.loading && plural(list.total, 'deployment')}</span>
          <ExportLinks
            csv={deskAgentTableRoutes.exportEdgeCsv}
            json={deskAgentTableRoutes.exportEdgeJson}
            query={query}
            what="deployments"
          />
        </div>
      </div>
      <div className={classes['news']}>
        <NewsLine words={newsWords(list.news, 'deployment')} onShow={list.showNews} />
      </div>
      {list.error !== null && (
        <div className={classes['trouble']}>
          <ReadFailure error={list.error} what="The deployments cannot be read" retry={list.retry} />
        </div>
      )}
      {list.loading && list.error === null && <ReadBones rows={12} height={32} what="the deployments" />}
      {!list.loading && list.total === 0 && <Nothing filter={filter} stamp={head?.stamp} />}
      {list.total > 0 && (
        <div className={classes['table']}>
          <VirtualTable
            label="Deployments"
            columns={[...columnsOf(heads), { key: 'address', label: 'Address' }, ...columnsOf([age])]}
            widths={widths}
            total={list.total}
            rowHeight={32}
            cells={cells}
            view={view}
            start={place.start}
            onVisible={(first, last) => {
              place.look(first)
              list.look(first, last)
            }}
            onOpen={(at) => {
              const row = list.rowAt(at)
              if (row !== undefined) navigate(inDesk(agentPlaces.agent(row.agent)))
            }}
          />
        </div>
      )}
    </>
  )
}

function cellsOf({ agent, agentState, worker, region, status, url, deployedAt }: EdgeDeployment) {
  const unknown = <span className={classes['quiet']}>unknown</span>
  return [
    <span key="agent" className={classes['with']}>
      <Link href={inDesk(agentPlaces.agent(agent))} className={classes['name']} tabIndex={-1} title={agent}>
        {agent}
      </Link>
      {agentState === null && <span className={classes['quiet']}>no such agent</span>}
      {(agentState === 'crashed' || agentState === 'stopped') && <AgentStateSign state={agentState} />}
    </span>,
    worker ?? unknown,
    region ?? unknown,
    <DeploymentStatus key="status" status={status} />,
    <Address key="address" url={url} />,
    <Age key="age" at={deployedAt} />,
  ]
}

/** Words that mean the same as an agent's state look like it; the word stays that of the database. */
const states: Record<string, AgentState> = {
  active: 'running',
  running: 'running',
  paused: 'paused',
  stopped: 'stopped',
  failed: 'crashed',
  error: 'crashed',
  crashed: 'crashed',
}

function DeploymentStatus({ status }: { status: string | null }) {
  if (status === null) return <span className={classes['quiet']}>unknown</span>
  const state = states[status.toLowerCase()]
  return state === undefined ? status : <AgentStateSign state={state}>{status}</AgentStateSign>
}

/** What is no address of the web stays text. */
function Address({ url }: { url: string | null }) {
  if (url === null) return <span className={classes['quiet']}>unknown</span>
  const href = webAddress(url)
  if (href === null) return <code title={url}>{url}</code>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className={classes['address']} title={href}>
      <span>{url}</span>
      <IconExternalLink size={14} stroke={1.75} role="img" aria-label="opens outside" />
    </a>
  )
}

function Nothing({ filter, stamp }: { filter: EdgeListFilter; stamp: AgentStamp | undefined }) {
  if (isMissing(stamp, 'edge_deployments'))
    return <MissingTable table="edge_deployments" what="Deployments" />
  if (!isEdgeNarrowed(filter)) {
    return (
      <EmptyState icon={IconWorld} title="Nothing has been deployed yet">
        <p>Deployments are listed as soon as the database holds one.</p>
      </EmptyState>
    )
  }
  const { q, region, status, sort, order } = filter
  const drops = [
    { on: q !== '', label: `Drop “${q}”`, href: edgePath({ ...filter, q: '' }) },
    {
      on: region !== null,
      label: `Any region, not only ${region}`,
      href: edgePath({ ...filter, region: null }),
    },
    {
      on: status !== null,
      label: `Any status, not only ${status}`,
      href: edgePath({ ...filter, status: null }),
    },
  ].filter(({ on }) => on)
  return (
    <DropFilters
      title="No deployment for this filter"
      drops={drops}
      all={edgePath({ ...allEdge, sort, order })}
    />
  )
}
