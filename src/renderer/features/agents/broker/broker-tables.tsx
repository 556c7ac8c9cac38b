import { IconFilter, IconPuzzle, IconRoute } from '@tabler/icons-react'
import { Link } from 'wouter'
import { handlerTypes, routeTable } from '../../../../shared/contracts/desk-agents-tables.ts'
import type {
  AgentBroker,
  BrokerRoute,
  ProjectSkill,
} from '../../../../shared/contracts/desk-agents-tables.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { formatCount, plural, upperFirst } from '../../../lib/format.ts'
import { Quiet, Utc } from '../components/signs.tsx'
import { formatCents } from '../cost/money.ts'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { ListSection, TableSection } from '../table/table-section.tsx'
import { brokerFilter } from './broker-filter.ts'
import type { BrokerFilter } from './broker-filter.ts'
import { formatLatency, typeWords } from './broker-words.ts'

type HandlerRow = AgentBroker['byHandler']['items'][number]

const handlerColumns = (filter: BrokerFilter): readonly DataColumn<HandlerRow>[] => [
  {
    label: 'Handler',
    width: [88, 1.6],
    isRowHeader: true,
    cell: ({ handler, type }) =>
      handler === null ? (
        <Quiet>no handler named</Quiet>
      ) : (
        <Link href={brokerFilter.path({ ...filter, handler, type })} title={handler} replace>
          {handler}
        </Link>
      ),
  },
  { label: 'Type', width: [40, 0.6], cell: ({ type }) => typeWords[type] },
  { label: 'Routes', width: [44, 0.6], numeric: true, cell: ({ sum }) => <b>{formatCount(sum.routes)}</b> },
  { label: 'Cost', width: [56, 0.7], numeric: true, cell: ({ sum }) => formatCents(sum.cents) },
  { label: 'p50', width: [60, 0.8], numeric: true, cell: ({ sum }) => formatLatency(sum.p50) },
  { label: 'p95', width: [60, 0.8], numeric: true, cell: ({ sum }) => formatLatency(sum.p95) },
]

/** Who has handled how much, what it cost and how fast it was; a name shows its decisions below. */
export function HandlerSection({ broker, filter }: { broker: AgentBroker; filter: BrokerFilter }) {
  const { byHandler, together } = broker
  const more = byHandler.total - byHandler.items.length
  return (
    <ListSection title="By handler" label="Routes by handler">
      <ListTable
        label="Routes by handler"
        rows={allRows(byHandler.items, 'handlers')}
        columns={handlerColumns(filter)}
        sum={together && { handler: null, type: 'other', sum: together }}
        most={7}
        gap={8}
      />
      {more > 0 && <Quiet>and {plural(more, 'handler')} more</Quiet>}
    </ListSection>
  )
}

const decisionColumns: readonly DataColumn<BrokerRoute>[] = [
  { label: 'Time, UTC', width: 84, cell: ({ at }) => <Utc at={at} /> },
  { label: 'Task', width: [160, 2], cell: ({ task }) => task },
  { label: 'Handler', width: [110, 1], cell: ({ handler }) => handler },
  { label: 'Type', width: 56, cell: ({ type }) => typeWords[type] },
  { label: 'Latency', width: 88, numeric: true, cell: ({ latencyMs }) => formatLatency(latencyMs) },
  { label: 'Cost', width: 88, numeric: true, cell: ({ cents }) => formatCents(cents) },
]

/** What the broker has decided, newest first. */
export function DecisionSection({ filter, isReady }: { filter: BrokerFilter; isReady: boolean }) {
  const { type, handler } = filter
  const segments = ([null, ...handlerTypes] as const).map((one) => ({
    key: one ?? 'all',
    label: one === null ? 'All' : upperFirst(typeWords[one]),
    href: brokerFilter.path({ ...filter, type: one, handler: null }),
  }))
  return (
    <TableSection
      title="Decisions"
      noun="decision"
      table="broker_routes"
      routes={routeTable}
      query={brokerFilter.query(filter)}
      columns={decisionColumns}
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

const skillColumns: readonly DataColumn<ProjectSkill>[] = [
  { label: 'Skill', width: [110, 1], mono: true, cell: ({ name }) => name },
  { label: 'Version', width: 72, mono: true, cell: ({ version }) => version },
  { label: 'Source', width: [72, 0.5], cell: ({ source }) => source },
  { label: 'Module', width: [110, 1], mono: true, cell: ({ wasmPath }) => wasmPath },
  { label: 'What it does', width: [140, 1.8], cell: ({ description }) => description ?? '' },
  { label: 'Routes', width: 72, numeric: true, cell: ({ routes }) => routes && formatCount(routes) },
  { label: 'Installed, UTC', width: 96, cell: ({ installedAt }) => <Utc at={installedAt} /> },
]

/** The skills that the broker can send work to, and how much it has sent in the time shown. */
export function SkillSection({ skills }: { skills: AgentBroker['skills'] }) {
  const total = skills.length
  return (
    <ListSection
      title="Skills"
      note={total > 0 && `${plural(total, 'skill')} of the project; routes in the time shown above`}
    >
      {total === 0 ? (
        <EmptyState icon={IconPuzzle} title="The project has no skills" />
      ) : (
        <ListTable label="Skills" rows={allRows(skills, 'skills')} columns={skillColumns} most={8} />
      )}
    </ListSection>
  )
}
