import { IconBan, IconRobot } from '@tabler/icons-react'
import type { Spend } from '../../../../shared/contracts/desk-agents-common.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import type { AgentRow } from '../../../../shared/contracts/desk-agents.ts'
import { AgentStateSign } from '../components/agent-state.tsx'
import { Utc } from '../components/utc.tsx'
import { formatCents, unpricedWords } from '../cost/money.ts'
import { AgentLink, orUnknown, Quiet } from '../table/cells.tsx'
import type { DataColumn } from '../table/data-column.ts'
import { tablePage } from '../table/table-page.tsx'
import { agentFilter } from './agent-filter.ts'
import type { AgentListFilter } from './agent-filter.ts'
import { AgentFilters } from './agent-filters.tsx'
import classes from './agents-page.module.css'

const columns: readonly DataColumn<AgentRow, AgentListFilter['sort']>[] = [
  {
    key: 'name',
    label: 'Agent',
    width: [120, 1.3],
    sort: 'name',
    cell: ({ name }) => <AgentLink name={name} tabIndex={-1} />,
  },
  {
    key: 'state',
    label: 'State',
    width: 104,
    sort: 'state',
    cell: ({ state, status }) => <AgentStateSign state={state} status={status} />,
  },
  {
    key: 'supervisor',
    label: 'Supervisor',
    width: [90, 0.9],
    sort: 'supervisor',
    cell: ({ supervisor }) => supervisor ?? <Quiet>none</Quiet>,
  },
  { key: 'module', label: 'Module', width: [150, 1.6], cell: (row) => <Module row={row} /> },
  {
    key: 'activity',
    label: 'Last activity, UTC',
    width: 116,
    sort: 'activity',
    descends: true,
    cell: ({ lastActivityAt }) => (
      <Quiet>
        <Utc at={lastActivityAt} />
      </Quiet>
    ),
  },
  {
    key: 'today',
    label: 'Spent today',
    width: 84,
    sort: 'today',
    numeric: true,
    descends: true,
    cell: ({ spentToday }) => <Money spend={spentToday} />,
  },
  {
    key: 'month',
    label: 'This month',
    width: 84,
    sort: 'month',
    numeric: true,
    descends: true,
    cell: ({ spentMonth }) => <Money spend={spentMonth} />,
  },
]

/** The release that it came from, else the file that it is. */
function Module({ row: { release, source } }: { row: AgentRow }) {
  const text = release === null ? source : `${release.name} ${release.version}`
  if (text === null) return orUnknown(text)
  const isRevoked = release?.status === 'revoked'
  return (
    <span
      className={classes['module']}
      data-tone={isRevoked ? 'bad' : release === null ? 'quiet' : undefined}
      title={source ?? undefined}
    >
      {isRevoked && <IconBan size={14} stroke={1.75} aria-hidden />}
      <span>{isRevoked ? `${text} revoked` : text}</span>
    </span>
  )
}

function Money({ spend }: { spend: Spend | null }) {
  if (spend === null) return <Quiet>counting</Quiet>
  const unpriced = unpricedWords(spend)
  return (
    <span title={unpriced ?? undefined}>
      {spend.cents === null
        ? orUnknown(null)
        : `${formatCents(spend.cents)}${unpriced === null ? '' : ' +?'}`}
    </span>
  )
}

/** All agents, ten thousand of them as well: state, supervisor, module, last activity, spend. */
export const AgentsPage = tablePage({
  title: 'Agents',
  noun: 'agent',
  what: 'agents',
  table: 'agents',
  routes: {
    list: deskAgentRoutes.listDeskAgents,
    csv: deskAgentRoutes.exportAgentsCsv,
    json: deskAgentRoutes.exportAgentsJson,
  },
  filter: agentFilter,
  placeholder: 'Name, source or template',
  controls: (state) => <AgentFilters {...state} />,
  columns,
  keyOf: ({ name }) => name,
  agentOf: ({ name }) => name,
  icon: IconRobot,
  empty: 'The project has no agents yet',
})
