import { IconCoins, IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { CostEvent } from '../../../../shared/contracts/desk-agents-cost.ts'
import { deskAgentCostRoutes } from '../../../../shared/contracts/desk-agents-cost.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { readCostEvents } from '../cost/cost.api.ts'
import { costPath, eventQuery } from '../cost/cost-filter.ts'
import type { CostFilter } from '../cost/cost-filter.ts'
import { formatCents } from '../cost/money.ts'
import { newsWords, useAgentList } from './use-agent-list.ts'
import { useRowShown } from '../use-row-shown.ts'
import { inDesk, useTablePlace } from '../view-address.ts'
import { ExportLinks } from '../components/export-links.tsx'
import { ListBox } from '../components/list-box.tsx'
import classes from '../components/list-section.module.css'
import { SectionNews } from '../components/section-news.tsx'
import { Utc } from '../components/utc.tsx'

const columns = [
  { key: 'at', label: 'Time, UTC' },
  { key: 'agent', label: 'Agent' },
  { key: 'model', label: 'Model', mono: true },
  { key: 'in', label: 'Tokens in', numeric: true },
  { key: 'out', label: 'out', numeric: true },
  { key: 'cents', label: 'Cost', numeric: true },
]
const widths = '96px minmax(120px, 1fr) minmax(120px, 1fr) 96px 96px 96px'

const tokens = (count: number | null): string => (count === null ? 'unknown' : formatCount(count))

interface Props {
  filter: CostFilter
  /** Whether what stands above is there, so that this stays where it is. */
  isReady: boolean
}

/** Every call that the figures above are made of, newest first. */
export function EventSection({ filter, isReady }: Props) {
  const query = eventQuery(filter)
  const view = JSON.stringify(query)
  const place = useTablePlace(view)
  const list = useAgentList({
    key: ['agents', 'cost-events', query],
    read: (offset, signal) => readCostEvents(filter, offset, signal),
    keyOf: ({ id }: CostEvent) => id,
    start: place.start,
    newestFirst: true,
  })
  const section = useRowShown(place.start, isReady && list.total > 0)
  const cells = (row: number): readonly ReactNode[] | null => {
    const event = list.rowAt(row)
    if (event === undefined) return null
    return [
      <Utc key="at" at={event.at} />,
      event.agent === null ? (
        'unknown'
      ) : (
        <Link key="agent" className={classes['agent']} href={inDesk(agentPlaces.agent(event.agent))}>
          {event.agent}
        </Link>
      ),
      event.model ?? 'unknown',
      tokens(event.tokensIn),
      tokens(event.tokensOut),
      formatCents(event.cents),
    ]
  }
  return (
    <section ref={section} className={classes['section']} aria-label="Calls">
      <header className={classes['head']}>
        <h2>Calls</h2>
        <span className={classes['note']}>
          {list.total > 0 && `${plural(list.total, 'call')}, newest first`}
        </span>
        <SectionNews keyed words={newsWords(list.news, 'call')} onShow={list.showNews} />
        <ExportLinks
          csv={deskAgentCostRoutes.exportCostEventsCsv}
          json={deskAgentCostRoutes.exportCostEventsJson}
          query={query}
          what="calls"
        />
      </header>
      {list.error !== null && (
        <ReadFailure error={list.error} what="The calls cannot be read" retry={list.retry} />
      )}
      {list.loading && list.error === null && <ReadBones rows={6} height={28} what="the calls" />}
      {!list.loading && list.total === 0 && <NoCall filter={filter} />}
      {list.total > 0 && (
        <ListBox rows={list.total} most={12}>
          <VirtualTable
            label="Calls"
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

function NoCall({ filter }: { filter: CostFilter }) {
  const { agent } = filter
  if (agent !== null) {
    return (
      <EmptyState icon={IconFilter} title={`${agent} has called nothing in this time`}>
        <Link href={costPath({ ...filter, agent: null })}>Show all agents</Link>
      </EmptyState>
    )
  }
  return <EmptyState icon={IconCoins} title="No call has cost anything in this time" />
}
