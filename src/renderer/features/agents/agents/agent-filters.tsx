import { Checkbox, NativeSelect } from '@mantine/core'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount } from '../../../lib/format.ts'
import type { AgentListFilter } from './agent-filter.ts'
import classes from './agent-filters.module.css'

interface Props {
  filter: AgentListFilter
  head: { counts: StateCounts; supervisors: readonly string[] } | undefined
  onFilter: (filter: AgentListFilter) => void
}

const alone = 'alone'
const named = 'named '

/** State, supervisor, and whether their module was revoked. */
export function AgentFilters({ filter, head, onFilter }: Props) {
  const supervisors = head?.supervisors ?? []
  const chosen = filter.unsupervised ? alone : filter.supervisor === null ? '' : named + filter.supervisor
  const isListed = filter.supervisor === null || supervisors.includes(filter.supervisor)
  return (
    <div className={classes['filters']} role="search" aria-label="Filter the agents">
      <NativeSelect
        size="sm"
        aria-label="State"
        value={filter.state ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ ...filter, state: agentStates.find((state) => state === value) ?? null })
        }
        data={[
          {
            value: '',
            label: `Every state${head === undefined ? '' : ` ${formatCount(sumOf(head.counts))}`}`,
          },
          ...agentStates.map((state) => ({
            value: state,
            label: `${state}${head === undefined ? '' : ` ${formatCount(head.counts[state])}`}`,
          })),
        ]}
      />
      <NativeSelect
        size="sm"
        aria-label="Supervisor"
        className={classes['supervisor'] ?? ''}
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          onFilter({
            ...filter,
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
        onChange={({ currentTarget }) => onFilter({ ...filter, revoked: currentTarget.checked })}
      />
    </div>
  )
}

function sumOf(counts: StateCounts): number {
  return agentStates.reduce((sum, state) => sum + counts[state], 0)
}
