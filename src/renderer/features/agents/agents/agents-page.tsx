import { Checkbox, NativeSelect } from '@mantine/core'
import { IconBan, IconRobot } from '@tabler/icons-react'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { Spend, StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import { agentTable } from '../../../../shared/contracts/desk-agents.ts'
import type { AgentRow } from '../../../../shared/contracts/desk-agents.ts'
import { formatCount } from '../../../lib/format.ts'
import { AgentLink, AgentStateSign, Quiet, Sign, Utc } from '../components/signs.tsx'
import { formatCents, unpricedWords } from '../cost/money.ts'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { tablePage } from '../table/table-page.tsx'
import { agentFilter } from './agent-filter.ts'
import type { AgentListFilter } from './agent-filter.ts'

const columns: readonly DataColumn<AgentRow, AgentListFilter['sort']>[] = [
  {
    label: 'Agent',
    width: [120, 1.3],
    sort: 'name',
    cell: ({ name }) => <AgentLink name={name} tabIndex={-1} />,
  },
  {
    label: 'State',
    width: 104,
    sort: 'state',
    cell: ({ state, status }) => <AgentStateSign state={state} status={status} />,
  },
  {
    label: 'Supervisor',
    width: [90, 0.9],
    sort: 'supervisor',
    cell: ({ supervisor }) => supervisor ?? <Quiet>none</Quiet>,
  },
  { label: 'Module', width: [150, 1.6], cell: (row) => moduleOf(row) },
  {
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
    label: 'Spent today',
    width: 84,
    sort: 'today',
    numeric: true,
    descends: true,
    cell: ({ spentToday }) => amountOf(spentToday),
  },
  {
    label: 'This month',
    width: 84,
    sort: 'month',
    numeric: true,
    descends: true,
    cell: ({ spentMonth }) => amountOf(spentMonth),
  },
]

/** The release that it came from, else the file that it is. */
function moduleOf({ release, source }: AgentRow) {
  if (release === null)
    return (
      source && (
        <Quiet>
          <span title={source}>{source}</span>
        </Quiet>
      )
    )
  const text = `${release.name} ${release.version}`
  if (release.status !== 'revoked') return <span title={source ?? undefined}>{text}</span>
  return (
    <Sign icon={IconBan} tone="bad" title={source}>
      {text} revoked
    </Sign>
  )
}

function amountOf(spend: Spend | null) {
  if (spend === null) return <Quiet>counting</Quiet>
  const unpriced = unpricedWords(spend)
  if (spend.cents === null) return null
  return (
    <span
      title={unpriced ?? undefined}
    >{`${formatCents(spend.cents)}${unpriced === null ? '' : ' +?'}`}</span>
  )
}

interface Props {
  filter: AgentListFilter
  answer: { counts: StateCounts; supervisors: readonly string[] } | undefined
  show: (change: Partial<AgentListFilter>) => void
}

const alone = 'alone'
const named = 'named '

/** State, supervisor, and whether their module was revoked. */
function AgentFilters({ filter, answer, show }: Props) {
  const supervisors = answer?.supervisors ?? []
  const chosen = filter.unsupervised ? alone : filter.supervisor === null ? '' : named + filter.supervisor
  const isListed = filter.supervisor === null || supervisors.includes(filter.supervisor)
  return (
    <>
      <NativeSelect
        size="sm"
        aria-label="State"
        value={filter.state ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show({ state: agentStates.find((state) => state === value) ?? null })
        }
        data={[
          {
            value: '',
            label: `Every state${answer === undefined ? '' : ` ${formatCount(sumOf(answer.counts))}`}`,
          },
          ...agentStates.map((state) => ({
            value: state,
            label: `${state}${answer === undefined ? '' : ` ${formatCount(answer.counts[state])}`}`,
          })),
        ]}
      />
      <NativeSelect
        size="sm"
        aria-label="Supervisor"
        maw={180}
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          show({
            unsupervised: value === alone,
            supervisor: value.startsWith(named) ? value.slice(named.length) : null,
          })
        }
        data={[
          { value: '', label: 'Every supervisor' },
          { value: alone, label: 'No supervisor' },
          ...(isListed || filter.supervisor === null
            ? []
            : [{ value: named + filter.supervisor, label: filter.supervisor }]),
          ...supervisors.map((name) => ({ value: named + name, label: name })),
        ]}
      />
      <Checkbox
        size="sm"
        label="Revoked module"
        checked={filter.revoked}
        onChange={({ currentTarget }) => show({ revoked: currentTarget.checked })}
      />
    </>
  )
}

function sumOf(counts: StateCounts): number {
  return agentStates.reduce((sum, state) => sum + counts[state], 0)
}

/** All agents, ten thousand of them as well: state, supervisor, module, last activity, spend. */
export const AgentsPage = tablePage({
  title: 'Agents',
  noun: 'agent',
  what: 'agents',
  table: 'agents',
  routes: agentTable,
  filter: agentFilter,
  placeholder: 'Name, source or template',
  controls: (state) => <AgentFilters {...state} />,
  columns,
  keyOf: ({ name }) => name,
  agentOf: ({ name }) => name,
  icon: IconRobot,
  empty: 'The project has no agents yet',
})
