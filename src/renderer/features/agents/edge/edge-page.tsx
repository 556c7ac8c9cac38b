import { IconCircleDashed, IconMapPin, IconWorld } from '@tabler/icons-react'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import { edgeTable, edgeSorts } from '../../../../shared/contracts/desk-agents-tables.ts'
import { FacetPicker } from '../../../components/list/filter-bar.tsx'
import { facet, searched, sorted, viewFilter } from '../../../lib/list/view-filter.ts'
import { Age, AgentLink, AgentStateBadge, Quiet, WebLink } from '../components/values.tsx'
import { tablePage } from '../table/table-page.tsx'
import { names, texts } from '../agents.texts.ts'

/** Statuses that mean the same as an agent's state are shown with its badge; the text stays as stored. */
const synonyms: Record<string, AgentState> = { active: 'running', failed: 'crashed', error: 'crashed' }

function statusBadge(status: string | null) {
  const word = status?.toLowerCase() ?? ''
  const state = synonyms[word] ?? agentStates.find((one) => one === word && one !== 'unknown')
  return state === undefined ? status : <AgentStateBadge state={state} text={status} />
}

/** The deployments of the agents. */
export const EdgePage = tablePage({
  texts: texts.edge,
  table: 'edge_deployments',
  routes: edgeTable,
  view: viewFilter('/agents/edge', {
    q: searched,
    region: facet('region'),
    status: facet('status'),
    ...sorted(edgeSorts),
  }),
  controls: ({ pick, answer }) => (
    <>
      <FacetPicker {...pick('region')} icon={IconMapPin} facets={answer?.regions} />
      <FacetPicker {...pick('status')} icon={IconCircleDashed} width={132} facets={answer?.statuses} />
    </>
  ),
  columns: [
    {
      label: names.agent,
      width: [150, 1.3],
      sort: 'agent',
      cell: ({ agent, agentState }) => (
        <>
          <AgentLink name={agent} tabIndex={-1} />{' '}
          {agentState === null && <Quiet>{texts.values.noSuchAgent}</Quiet>}
          {(agentState === 'crashed' || agentState === 'stopped') && <AgentStateBadge state={agentState} />}
        </>
      ),
    },
    { label: names.worker, width: [90, 0.9], sort: 'worker', cell: 'worker' },
    { label: names.region, width: [80, 0.6], sort: 'region', cell: 'region' },
    { label: names.status, width: [80, 0.6], sort: 'status', cell: ({ status }) => statusBadge(status) },
    { label: names.url, width: [160, 1.6], cell: ({ url }) => <WebLink url={url} /> },
    {
      label: names.age,
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
})
