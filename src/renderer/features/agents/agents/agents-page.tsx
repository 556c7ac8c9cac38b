import { Checkbox } from '@mantine/core'
import { IconBan, IconRobot } from '@tabler/icons-react'
import { agentStates, maxAgentNameCharacters } from '../../../../shared/contracts/desk-agents-common.ts'
import type { Spend, StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import { agentSorts, agentTable } from '../../../../shared/contracts/desk-agents.ts'
import type { AgentRow } from '../../../../shared/contracts/desk-agents.ts'
import { offered, SelectFilter } from '../../../components/list/filter-bar.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { formatCount, upperFirst } from '../../../lib/format.ts'
import { choice, flag, named, notJust, searched, sorted, viewFilter } from '../../../lib/list/view-filter.ts'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import { AgentLink, AgentStateBadge, Quiet, utcCell } from '../components/values.tsx'
import { formatCents, unpricedNote } from '../cost/money.ts'
import { tablePage } from '../table/table-page.tsx'
import { names, texts } from '../agents.texts.ts'

/** Which agents are listed and in which order. `unsupervised` are those without a supervisor. */
export const agentFilter = viewFilter(
  '/agents/list',
  {
    q: searched,
    state: choice(agentStates, null, notJust('state')),
    supervisor: named(maxAgentNameCharacters, notJust('supervisor')),
    unsupervised: flag(texts.agents.filters.includeSupervised),
    revoked: flag(texts.agents.filters.includeOtherModules),
    ...sorted(agentSorts),
  },
  (filter) => (filter.unsupervised ? { ...filter, supervisor: null } : filter),
)
type AgentListFilter = typeof agentFilter.defaults

/** The release that the module came from, otherwise its file. */
function moduleOf({ release, source }: AgentRow) {
  const text = release === null ? source : `${release.name} ${release.version}`
  if (text !== null && release?.status === 'revoked')
    return <Badge tone="bad" icon={IconBan} title={source} text={texts.agents.revoked(text)} />
  return (
    text && (
      <span title={source ?? undefined} data-ink={release === null ? 'calm' : undefined}>
        {text}
      </span>
    )
  )
}

function amountOf(spend: Spend | null) {
  if (spend === null) return <Quiet>{texts.unknown}</Quiet>
  if (spend.cents === null) return null
  const unpriced = unpricedNote(spend)
  const amount = formatCents(spend.cents)
  return unpriced === null ? amount : <span title={unpriced}>{texts.agents.withUnpriced(amount)}</span>
}

const amounts = { width: 84, numeric: true, descends: true }

interface Props extends FilterState<AgentListFilter> {
  answer: { counts: StateCounts; supervisors: readonly string[] } | undefined
}

const noSupervisor = 'none'
const namePrefix = 'named '

/** Filters by state, by supervisor, and for revoked modules. */
function AgentFilters({ filter, answer, show }: Props) {
  const { state, supervisor, unsupervised, revoked } = filter
  const counts = answer?.counts
  const sum = counts && agentStates.reduce((all, one) => all + counts[one], 0)
  const { filters } = texts.agents
  const counted = (label: string, count: number | undefined): string =>
    count === undefined ? label : `${label} (${formatCount(count)})`
  return (
    <>
      <SelectFilter
        label={names.state}
        options={[
          [null, counted(filters.anyState, sum)],
          ...agentStates.map((one) => [one, counted(upperFirst(one), counts?.[one])] as const),
        ]}
        value={state}
        onValue={(value) => show({ state: value })}
      />
      <SelectFilter
        label={names.supervisor}
        options={[
          [null, filters.anySupervisor],
          [noSupervisor, filters.noSupervisor],
          ...offered(answer?.supervisors ?? [], supervisor).map((name) => [namePrefix + name, name] as const),
        ]}
        value={unsupervised ? noSupervisor : supervisor && namePrefix + supervisor}
        onValue={(value) =>
          show({
            unsupervised: value === noSupervisor,
            supervisor: value?.startsWith(namePrefix) === true ? value.slice(namePrefix.length) : null,
          })
        }
        width={180}
      />
      <Checkbox
        size="sm"
        label={filters.revoked}
        checked={revoked}
        onChange={({ currentTarget }) => show({ revoked: currentTarget.checked })}
      />
    </>
  )
}

/** All agents with their state, supervisor, module, last activity and spend. */
export const AgentsPage = tablePage({
  texts: texts.agents,
  table: 'agents',
  routes: agentTable,
  view: agentFilter,
  controls: (state) => <AgentFilters {...state} />,
  columns: [
    {
      label: names.agent,
      width: [120, 1.3],
      sort: 'name',
      cell: ({ name }) => <AgentLink name={name} tabIndex={-1} />,
    },
    {
      label: names.state,
      width: 104,
      sort: 'state',
      cell: ({ state, status }) => <AgentStateBadge state={state} status={status} />,
    },
    {
      label: names.supervisor,
      width: [90, 0.9],
      sort: 'supervisor',
      cell: ({ supervisor }) => supervisor ?? <Quiet>{texts.none}</Quiet>,
    },
    { label: names.module, width: [150, 1.6], cell: moduleOf },
    {
      label: texts.utc(names.lastActivity),
      width: 116,
      sort: 'activity',
      descends: true,
      quiet: true,
      cell: utcCell('lastActivityAt'),
    },
    { ...amounts, label: names.spentToday, sort: 'today', cell: ({ spentToday }) => amountOf(spentToday) },
    { ...amounts, label: names.spentMonth, sort: 'month', cell: ({ spentMonth }) => amountOf(spentMonth) },
  ],
  keyOf: ({ name }) => name,
  agentOf: ({ name }) => name,
  icon: IconRobot,
})
