import { IconCoins, IconFilter } from '@tabler/icons-react'
import { Link } from 'wouter'
import { deskAgentCostRoutes } from '../../../../shared/contracts/desk-agents-cost.ts'
import type { CostEvent } from '../../../../shared/contracts/desk-agents-cost.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { formatCount } from '../../../lib/format.ts'
import { Utc } from '../components/utc.tsx'
import { AgentLink, orUnknown } from '../table/cells.tsx'
import type { DataColumn } from '../table/data-column.ts'
import { TableSection } from '../table/table-section.tsx'
import { costFilter, eventQuery } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { formatCents } from './money.ts'

const tokens = (count: number | null): string => (count === null ? 'unknown' : formatCount(count))

const columns: readonly DataColumn<CostEvent>[] = [
  { key: 'at', label: 'Time, UTC', width: 96, cell: ({ at }) => <Utc at={at} /> },
  {
    key: 'agent',
    label: 'Agent',
    width: [120, 1],
    cell: ({ agent }) => (agent === null ? orUnknown(agent) : <AgentLink name={agent} />),
  },
  { key: 'model', label: 'Model', width: [120, 1], mono: true, cell: ({ model }) => orUnknown(model) },
  { key: 'in', label: 'Tokens in', width: 96, numeric: true, cell: ({ tokensIn }) => tokens(tokensIn) },
  { key: 'out', label: 'out', width: 96, numeric: true, cell: ({ tokensOut }) => tokens(tokensOut) },
  { key: 'cents', label: 'Cost', width: 96, numeric: true, cell: ({ cents }) => formatCents(cents) },
]

/** Every call that the figures above are made of, newest first. */
export function EventSection({ filter, isReady }: { filter: CostFilter; isReady: boolean }) {
  return (
    <TableSection
      title="Calls"
      noun="call"
      table="cost_events"
      routes={{
        list: deskAgentCostRoutes.listCostEvents,
        csv: deskAgentCostRoutes.exportCostEventsCsv,
        json: deskAgentCostRoutes.exportCostEventsJson,
      }}
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
