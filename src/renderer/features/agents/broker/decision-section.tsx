import { IconFilter, IconRoute } from '@tabler/icons-react'
import { Link } from 'wouter'
import { deskAgentTableRoutes, handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { BrokerRoute } from '../../../../shared/contracts/desk-agents-tables.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { Utc } from '../components/utc.tsx'
import { formatCents } from '../cost/money.ts'
import { cutText } from '../table/cells.tsx'
import type { DataColumn } from '../table/data-column.ts'
import { TableSection } from '../table/table-section.tsx'
import { brokerFilter } from './broker-filter.ts'
import type { BrokerFilter } from './broker-filter.ts'
import { formatLatency, typeWords } from './broker-words.ts'

const columns: readonly DataColumn<BrokerRoute>[] = [
  { key: 'at', label: 'Time, UTC', width: 84, cell: ({ at }) => <Utc at={at} /> },
  { key: 'task', label: 'Task', width: [160, 2], cell: ({ task }) => cutText(task) },
  { key: 'handler', label: 'Handler', width: [110, 1], cell: ({ handler }) => cutText(handler) },
  { key: 'type', label: 'Type', width: 56, cell: ({ type }) => typeWords[type] },
  {
    key: 'latency',
    label: 'Latency',
    width: 88,
    numeric: true,
    cell: ({ latencyMs }) => formatLatency(latencyMs),
  },
  { key: 'cents', label: 'Cost', width: 88, numeric: true, cell: ({ cents }) => formatCents(cents) },
]

/** What the broker has decided, newest first. */
export function DecisionSection({ filter, isReady }: { filter: BrokerFilter; isReady: boolean }) {
  const { type, handler } = filter
  const segments = ([null, ...handlerTypes] as const).map((one) => ({
    key: one ?? 'all',
    label: one === null ? 'All' : upper(typeWords[one]),
    href: brokerFilter.path({ ...filter, type: one, handler: null }),
  }))
  return (
    <TableSection
      title="Decisions"
      noun="decision"
      table="broker_routes"
      routes={{
        list: deskAgentTableRoutes.listBrokerRoutes,
        csv: deskAgentTableRoutes.exportRoutesCsv,
        json: deskAgentTableRoutes.exportRoutesJson,
      }}
      query={brokerFilter.query(filter)}
      columns={columns}
      keyOf={({ id }) => id}
      filter={<Segmented label="Decided for" current={type ?? 'all'} segments={segments} />}
      note={
        handler !== null && (
          <>
            {' for '}
            <b>{handler}</b>. <Link href={brokerFilter.path({ ...filter, handler: null })}>All handlers</Link>
          </>
        )
      }
      empty={<NoDecision filter={filter} />}
      log={{ isReady }}
    />
  )
}

function NoDecision({ filter }: { filter: BrokerFilter }) {
  const { type, handler } = filter
  if (type === null && handler === null) {
    return <EmptyState icon={IconRoute} title="The broker has decided nothing in this time" />
  }
  const about = [type === null ? null : typeWords[type], handler].filter((word) => word !== null)
  return (
    <EmptyState icon={IconFilter} title={`No decision for ${about.join(', ')} in this time`}>
      <Link href={brokerFilter.path({ ...filter, type: null, handler: null })}>Show all decisions</Link>
    </EmptyState>
  )
}

const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
