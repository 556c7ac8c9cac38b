import { Link } from 'wouter'
import type { AgentOverview } from '../../../../shared/contracts/desk-agents.ts'
import { Utc } from '../components/utc.tsx'
import { AgentLink, orUnknown } from '../table/cells.tsx'
import { EventName, EventTable } from '../table/event-table.tsx'
import type { EventColumn } from '../table/event-table.tsx'
import classes from './last-events.module.css'

const columns: readonly EventColumn<AgentOverview['events'][number]>[] = [
  { label: 'When', width: '72px', cell: ({ at }) => <Utc at={at} /> },
  { label: 'Agent', cell: ({ agent }) => (agent === null ? orUnknown(agent) : <AgentLink name={agent} />) },
  { label: 'Event', width: '26%', cell: ({ event }) => <EventName event={event} /> },
  { label: 'Detail', cell: ({ detail }) => <span title={detail ?? undefined}>{detail}</span> },
]

/** The newest audit rows. */
export function LastEvents({ events }: { events: AgentOverview['events'] }) {
  return (
    <section aria-label="Last events" className={classes['events']}>
      <header>
        <h2>Last events</h2>
        <span>UTC</span>
        <Link href="/agents/audit">Audit</Link>
      </header>
      {events.length === 0 ? <p>The audit has no rows.</p> : <EventTable rows={events} columns={columns} />}
    </section>
  )
}
