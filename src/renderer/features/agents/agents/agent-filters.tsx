import { Checkbox, NativeSelect } from '@mantine/core'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount } from '../../../lib/format.ts'
import type { AgentListFilter } from './agent-filter.ts'

interface Props {
  filter: AgentListFilter
  answer: { counts: StateCounts; supervisors: readonly string[] } | undefined
  show: (change: Partial<AgentListFilter>) => void
}

const alone = 'alone'
const named = 'named '

/** State, supervisor, and whether their module was revoked. */
export function AgentFilters({ filter, answer, show }: Props) {
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
