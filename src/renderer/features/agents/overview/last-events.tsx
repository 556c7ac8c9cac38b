import { Link } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { AgentOverview } from '../../../../shared/contracts/desk-agents.ts'
import { useUnderHand } from '../under-hand.ts'
import { inDesk } from '../view-address.ts'
import classes from './last-events.module.css'
import { NewsLine } from '../table/news-line.tsx'
import { Utc } from '../components/utc.tsx'

/** The newest audit rows. They stand still while the pointer or the focus is on them. */
export function LastEvents({ events }: { events: AgentOverview['events'] }) {
  const { shown, isOther, show, hand } = useUnderHand(events, ({ id }) => id)
  return (
    <section aria-label="Last events" className={classes['events']}>
      <header>
        <h2>Last events</h2>
        <span>UTC</span>
        <Link href="/agents/audit">Audit</Link>
      </header>
      {shown.length === 0 ? (
        <p>The audit has no rows.</p>
      ) : (
        <div className={classes['list']} {...hand}>
          <div className={classes['news']}>
            <NewsLine words={isOther ? 'New events' : null} onShow={show} />
          </div>
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Agent</th>
                <th scope="col">Event</th>
                <th scope="col">Detail</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ id, at, agent, event, detail }) => (
                <tr key={id}>
                  <td>
                    <Utc at={at} />
                  </td>
                  <td>
                    {agent === null ? (
                      'unknown'
                    ) : (
                      <Link href={inDesk(agentPlaces.agent(agent))}>{agent}</Link>
                    )}
                  </td>
                  <td data-bad={/crash|fail/i.test(event ?? '') || undefined}>{event ?? 'unknown'}</td>
                  <td title={detail ?? undefined}>{detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
