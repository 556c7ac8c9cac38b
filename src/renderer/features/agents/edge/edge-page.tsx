import { IconCircleDashed, IconMapPin, IconWorld } from '@tabler/icons-react'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import { edgeTable, edgeSorts } from '../../../../shared/contracts/desk-agents-tables.ts'
import { FacetPicker } from '../../../components/list/filter-bar.tsx'
import { facet, searched, sorted, viewFilter } from '../../../lib/list/view-filter.ts'
import { Age, AgentLink, AgentStateSign, Quiet, WebLink } from '../components/signs.tsx'
import { tablePage } from '../table/table-page.tsx'

/** Words that mean the same as an agent's state look like it; the word stays that of the database. */
const synonyms: Record<string, AgentState> = { active: 'running', failed: 'crashed', error: 'crashed' }

function statusSign(status: string | null) {
  const word = status?.toLowerCase() ?? ''
  const state = synonyms[word] ?? agentStates.find((one) => one === word && one !== 'unknown')
  return state === undefined ? status : <AgentStateSign state={state} text={status} />
}

/** Where agents have been deployed, and since when. */
export const EdgePage = tablePage({
  title: 'Edge',
  noun: 'deployment',
  what: 'deployments',
  table: 'edge_deployments',
  routes: edgeTable,
  filter: viewFilter('/agents/edge', {
    q: searched,
    region: facet('region'),
    status: facet('status'),
    ...sorted(edgeSorts),
  }),
  placeholder: 'Agent, worker or address',
  controls: ({ pick, answer }) => (
    <>
      <FacetPicker {...pick('region')} icon={IconMapPin} facets={answer?.regions} />
      <FacetPicker {...pick('status')} icon={IconCircleDashed} width={132} facets={answer?.statuses} />
    </>
  ),
  columns: [
    {
      label: 'Agent',
      width: [150, 1.3],
      sort: 'agent',
      cell: ({ agent, agentState }) => (
        <>
          <AgentLink name={agent} tabIndex={-1} /> {agentState === null && <Quiet>no such agent</Quiet>}
          {(agentState === 'crashed' || agentState === 'stopped') && <AgentStateSign state={agentState} />}
        </>
      ),
    },
    { label: 'Worker', width: [90, 0.9], sort: 'worker', cell: 'worker' },
    { label: 'Region', width: [80, 0.6], sort: 'region', cell: 'region' },
    { label: 'Status', width: [80, 0.6], sort: 'status', cell: ({ status }) => statusSign(status) },
    { label: 'Address', width: [160, 1.6], cell: ({ url }) => <WebLink url={url} /> },
    {
      label: 'Age',
      width: 64,
      sort: 'deployed',
      numeric: true,
      descends: true,
      cell: ({ deployedAt }) => <Age at={deployedAt} />,
    },
  ],
  keyOf: ({ agent, worker, region }) => JSON.stringify([agent, worker, region]),
  agentOf: ({ agent }) => agent,
  icon: IconWorld,
  empty: 'Nothing has been deployed yet',
})
