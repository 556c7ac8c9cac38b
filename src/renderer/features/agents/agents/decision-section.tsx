import { IconFilter, IconRoute } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { deskAgentTableRoutes, handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { BrokerRoute } from '../../../../shared/contracts/desk-agents-tables.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { plural } from '../../../lib/format.ts'
import { brokerPath, routeQuery } from '../broker/broker-filter.ts'
import type { BrokerFilter } from '../broker/broker-filter.ts'
import { formatLatency, typeWords } from '../broker/broker-words.ts'
import { readRoutes } from '../cost/cost.api.ts'
import { formatCents } from '../cost/money.ts'
import { newsWords, useAgentList } from './use-agent-list.ts'
import { useRowShown } from '../use-row-shown.ts'
import { useTablePlace } from '../view-address.ts'
import { ExportLinks } from '../components/export-links.tsx'
import { ListBox } from '../components/list-box.tsx'
import classes from '../components/list-section.module.css'
import { SectionNews } from '../components/section-news.tsx'
import { Utc } from '../components/utc.tsx'

const columns = [
  { key: 'at', label: 'Time, UTC' },
  { key: 'task', label: 'Task' },
  { key: 'handler', label: 'Handler' },
  { key: 'type', label: 'Type' },
  { key: 'latency', label: 'Latency', numeric: true },
  { key: 'cents', label: 'Cost', numeric: true },
]
const widths = '84px minmax(160px, 2fr) minmax(110px, 1fr) 56px 88px 88px'

interface Props {
  filter: BrokerFilter
  /** Whether what stands above is there, so that this stays where it is. */
  isReady: boolean
}

/** What the broker has decided, newest first. */
export function DecisionSection({ filter, isReady }: Props) {
  const query = routeQuery(filter)
  const view = JSON.stringify(query)
  const place = useTablePlace(view)
  const list = useAgentList({
    key: ['agents', 'routes', query],
    read: (offset, signal) => readRoutes(filter, offset, signal),
    keyOf: ({ id }: BrokerRoute) => id,
    start: place.start,
    newestFirst: true,
  })
  const section = useRowShown(place.start, isReady && list.total > 0)
  const cells = (row: number): readonly ReactNode[] | null => {
    const route = list.rowAt(row)
    if (route === undefined) return null
    return [
      <Utc key="at" at={route.at} />,
      <span key="task" title={route.task ?? undefined}>
        {route.task ?? 'unknown'}
      </span>,
      <span key="handler" title={route.handler ?? undefined}>
        {route.handler ?? 'unknown'}
      </span>,
      typeWords[route.type],
      formatLatency(route.latencyMs),
      formatCents(route.cents),
    ]
  }
  const segments = ([null, ...handlerTypes] as const).map((type) => ({
    key: type ?? 'all',
    label: type === null ? 'All' : upper(typeWords[type]),
    href: brokerPath({ ...filter, type, handler: null }),
  }))
  return (
    <section ref={section} className={classes['section']} aria-label="Decisions">
      <header className={classes['head']}>
        <h2>Decisions</h2>
        <Segmented label="Decided for" current={filter.type ?? 'all'} segments={segments} />
        <span className={classes['note']}>
          {list.total > 0 && `${plural(list.total, 'decision')}, newest first`}
          {filter.handler !== null && (
            <>
              {' for '}
              <b>{filter.handler}</b>.{' '}
              <Link href={brokerPath({ ...filter, handler: null })}>All handlers</Link>
            </>
          )}
        </span>
        <SectionNews keyed words={newsWords(list.news, 'decision')} onShow={list.showNews} />
        <ExportLinks
          csv={deskAgentTableRoutes.exportRoutesCsv}
          json={deskAgentTableRoutes.exportRoutesJson}
          query={query}
          what="decisions"
        />
      </header>
      {list.error !== null && (
        <ReadFailure error={list.error} what="The decisions cannot be read" retry={list.retry} />
      )}
      {list.loading && list.error === null && <ReadBones rows={6} height={28} what="the decisions" />}
      {!list.loading && list.total === 0 && <NoDecision filter={filter} />}
      {list.total > 0 && (
        <ListBox rows={list.total} most={12}>
          <VirtualTable
            label="Decisions"
            columns={columns}
            widths={widths}
            total={list.total}
            cells={cells}
            view={view}
            start={place.start}
            onVisible={(first, last) => {
              place.look(first)
              list.look(first, last)
            }}
          />
        </ListBox>
      )}
    </section>
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
      <Link href={brokerPath({ ...filter, type: null, handler: null })}>Show all decisions</Link>
    </EmptyState>
  )
}

const upper = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
