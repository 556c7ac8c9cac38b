import { Checkbox } from '@mantine/core'
import { IconBan, IconRobot } from '@tabler/icons-react'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { Spend, StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import { agentSorts, agentTable } from '../../../../shared/contracts/desk-agents.ts'
import type { AgentRow } from '../../../../shared/contracts/desk-agents.ts'
import { offered, SelectFilter } from '../../../components/list/filter-bar.tsx'
import { formatCount } from '../../../lib/format.ts'
import { choice, flag, named, searched, sorted, viewFilter } from '../../../lib/list/view-filter.ts'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import { AgentLink, AgentStateSign, Quiet, Sign, utcCell } from '../components/signs.tsx'
import { formatCents, unpricedNote } from '../cost/money.ts'
import { tablePage } from '../table/table-page.tsx'

/** Which agents are listed and in which order. `unsupervised` are those that no supervisor names. */
export const agentFilter = viewFilter(
  '/agents/list',
  {
    q: searched,
    state: choice(agentStates, null, (state) => `Not only ${state}`),
    supervisor: named(500, (name) => `Not only those of ${name}`),
    unsupervised: flag('Also those with a supervisor'),
    revoked: flag('Also other modules'),
    ...sorted(agentSorts),
  },
  (filter) => (filter.unsupervised ? { ...filter, supervisor: null } : filter),
)
export type AgentListFilter = typeof agentFilter.usual

/** The release that it came from, else the file that it is. */
function moduleOf({ release, source }: AgentRow) {
  const text = release === null ? source : `${release.name} ${release.version}`
  if (release?.status === 'revoked')
    return <Sign tone="bad" icon={IconBan} title={source} text={`${text} revoked`} />
  return (
    text && (
      <span title={source ?? undefined} data-ink={release === null ? 'calm' : undefined}>
        {text}
      </span>
    )
  )
}

function amountOf(spend: Spend | null) {
  if (spend === null) return <Quiet>counting</Quiet>
  if (spend.cents === null) return null
  const unpriced = unpricedNote(spend) ?? undefined
  return <span title={unpriced}>{`${formatCents(spend.cents)}${unpriced === undefined ? '' : ' +?'}`}</span>
}

const amounts = { width: 84, numeric: true, descends: true }

interface Props extends FilterState<AgentListFilter> {
  answer: { counts: StateCounts; supervisors: readonly string[] } | undefined
}

const alone = 'alone'
const those = 'named '

/** State, supervisor, and whether their module was revoked. */
function AgentFilters({ filter, answer, show }: Props) {
  const { state, supervisor, unsupervised, revoked } = filter
  const counts = answer?.counts
  const sum = counts && agentStates.reduce((all, one) => all + counts[one], 0)
  const counted = (label: string, count: number | undefined): string =>
    count === undefined ? label : `${label} ${formatCount(count)}`
  return (
    <>
      <SelectFilter
        label="State"
        options={[
          [null, counted('Every state', sum)],
          ...agentStates.map((one) => [one, counted(one, counts?.[one])] as const),
        ]}
        value={state}
        onValue={(value) => show({ state: value })}
      />
      <SelectFilter
        label="Supervisor"
        options={[
          [null, 'Every supervisor'],
          [alone, 'No supervisor'],
          ...offered(answer?.supervisors ?? [], supervisor).map((name) => [those + name, name] as const),
        ]}
        value={unsupervised ? alone : supervisor && those + supervisor}
        onValue={(value) =>
          show({
            unsupervised: value === alone,
            supervisor: value?.startsWith(those) === true ? value.slice(those.length) : null,
          })
        }
        width={180}
      />
      <Checkbox
        size="sm"
        label="Revoked module"
        checked={revoked}
        onChange={({ currentTarget }) => show({ revoked: currentTarget.checked })}
      />
    </>
  )
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
  columns: [
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
    { label: 'Module', width: [150, 1.6], cell: moduleOf },
    {
      label: 'Last activity, UTC',
      width: 116,
      sort: 'activity',
      descends: true,
      quiet: true,
      cell: utcCell('lastActivityAt'),
    },
    { label: 'Spent today', sort: 'today', ...amounts, cell: ({ spentToday }) => amountOf(spentToday) },
    { label: 'This month', sort: 'month', ...amounts, cell: ({ spentMonth }) => amountOf(spentMonth) },
  ],
  keyOf: ({ name }) => name,
  agentOf: ({ name }) => name,
  icon: IconRobot,
  empty: 'The project has no agents yet',
})
