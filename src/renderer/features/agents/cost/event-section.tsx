import { IconCoins, IconFilter } from '@tabler/icons-react'
import { Link } from 'wouter'
import { eventTable } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { CostEvent } from '../../../../shared/contracts/desk-agents-cost.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { formatCount } from '../../../lib/format.ts'
import { AgentLink, Utc } from '../components/signs.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { TableSection } from '../table/table-section.tsx'
import { costFilter, eventQuery } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { formatCents } from './money.ts'

const tokens = (count: number | null) => (count === null ? null : formatCount(count))

const columns: readonly DataColumn<CostEvent>[] = [
  { label: 'Time, UTC', width: 96, cell: ({ at }) => <Utc at={at} /> },
  {
    label: 'Agent',
    width: [120, 1],
    cell: ({ agent }) => agent && <AgentLink name={agent} />,
  },
  { label: 'Model', width: [120, 1], mono: true, cell: ({ model }) => model },
  { label: 'Tokens in', width: 96, numeric: true, cell: ({ tokensIn }) => tokens(tokensIn) },
  { label: 'out', width: 96, numeric: true, cell: ({ tokensOut }) => tokens(tokensOut) },
  { label: 'Cost', width: 96, numeric: true, cell: ({ cents }) => formatCents(cents) },
]

/** Every call that the figures above are made of, newest first. */
export function EventSection({ filter, isReady }: { filter: CostFilter; isReady: boolean }) {
  return (
    <TableSection
      title="Calls"
      noun="call"
      table="cost_events"
      routes={eventTable}
      query={eventQuery(filter)}
      columns={columns}
      keyOf={({ id }) => id}
      empty={
        filter.agent === null ? (
          <EmptyState icon={IconCoins} title="No call has cost anything in this time" />
        ) : (
          <EmptyState icon={IconFilter} title={`${filter.agent} has called nothing in this time`}>
            <Link href={costFilter.path({ ...filter, agent: null })}>Show all agents</Link>
          </EmptyState>
        )
      }
      log={{ isReady }}
    />
  )
}
