import { IconCircleDashed, IconMapPin, IconWorld } from '@tabler/icons-react'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import { deskAgentTableRoutes, edgeSorts } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { EdgeDeployment } from '../../../../shared/contracts/desk-agents-tables.ts'
import { AgentStateSign } from '../components/agent-state.tsx'
import { Age } from '../components/age.tsx'
import { WebLink } from '../components/web-link.tsx'
import { AgentLink, Inline, orUnknown, Quiet } from '../table/cells.tsx'
import type { DataColumn } from '../table/data-column.ts'
import { FacetPicker } from '../table/facet-picker.tsx'
import { tablePage } from '../table/table-page.tsx'
import { facet, searched, sorted, viewFilter } from '../table/view-filter.ts'

const filter = viewFilter('/agents/edge', {
  q: searched,
  region: facet('region'),
  status: facet('status'),
  ...sorted(edgeSorts),
})

const columns: readonly DataColumn<EdgeDeployment, (typeof edgeSorts)[number]>[] = [
  {
    key: 'agent',
    label: 'Agent',
    width: [150, 1.3],
    sort: 'agent',
    cell: ({ agent, agentState }) => (
      <Inline>
        <AgentLink name={agent} tabIndex={-1} />
        {agentState === null && <Quiet>no such agent</Quiet>}
        {(agentState === 'crashed' || agentState === 'stopped') && <AgentStateSign state={agentState} />}
      </Inline>
    ),
  },
  {
    key: 'worker',
    label: 'Worker',
    width: [90, 0.9],
    sort: 'worker',
    cell: ({ worker }) => orUnknown(worker),
  },
  {
    key: 'region',
    label: 'Region',
    width: [80, 0.6],
    sort: 'region',
    cell: ({ region }) => orUnknown(region),
  },
  {
    key: 'status',
    label: 'Status',
    width: [80, 0.6],
    sort: 'status',
    cell: ({ status }) => <DeploymentStatus status={status} />,
  },
  { key: 'address', label: 'Address', width: [160, 1.6], cell: ({ url }) => <WebLink url={url} /> },
  {
    key: 'deployed',
    label: 'Age',
    width: 64,
    sort: 'deployed',
    numeric: true,
    descends: true,
    cell: ({ deployedAt }) => <Age at={deployedAt} />,
  },
]

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
  if (status === null) return orUnknown(status)
  const state = states[status.toLowerCase()]
  return state === undefined ? status : <AgentStateSign state={state}>{status}</AgentStateSign>
}

/** Where agents have been deployed, and since when. */
export const EdgePage = tablePage({
  title: 'Edge',
  noun: 'deployment',
  what: 'deployments',
  table: 'edge_deployments',
  routes: {
    list: deskAgentTableRoutes.listEdge,
    csv: deskAgentTableRoutes.exportEdgeCsv,
    json: deskAgentTableRoutes.exportEdgeJson,
  },
  filter,
  placeholder: 'Agent, worker or address',
  controls: ({ pick, answer }) => (
    <>
      <FacetPicker {...pick('region')} icon={IconMapPin} width={140} facets={answer?.regions} />
      <FacetPicker {...pick('status')} icon={IconCircleDashed} width={132} facets={answer?.statuses} />
    </>
  ),
  columns,
  keyOf: ({ agent, worker, region }) => JSON.stringify([agent, worker, region]),
  agentOf: ({ agent }) => agent,
  icon: IconWorld,
  empty: 'Nothing has been deployed yet',
})
