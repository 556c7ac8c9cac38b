import { IconAlertOctagonFilled } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { Section } from '../../../components/section.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useUnderHand } from '../under-hand.ts'
import { pathWith } from '../view-address.ts'
import classes from './agent-timeline.module.css'
import { NewsLine } from '../table/news-line.tsx'
import { Utc } from '../components/utc.tsx'

interface Props {
  agent: string
  rows: readonly AuditRow[]
  total: number | null
}

/** What it has done, newest first. It stands still while the pointer or the focus is on it. */
export function AgentTimeline({ agent, rows, total }: Props) {
  const { shown, isOther, show, hand } = useUnderHand(rows, ({ id }) => id)
  const all = pathWith('/agents/audit', { agent })
  const words =
    total === null
      ? 'all in the audit'
      : rows.length < total
        ? `${formatCount(rows.length)} of ${formatCount(total)}, all in the audit`
        : 'in the audit'
  return (
    <Section title="Timeline" note={rows.length === 0 ? undefined : <Link href={all}>{words}</Link>}>
      {shown.length === 0 ? (
        <p>The audit has no row of it.</p>
      ) : (
        <div className={classes['timeline']} {...hand}>
          <div className={classes['news']}>
            <NewsLine words={isOther ? 'New events' : null} onShow={show} />
          </div>
          <table>
            <thead>
              <tr>
                <th scope="col">When, UTC</th>
                <th scope="col">Event</th>
                <th scope="col">Detail</th>
                <th scope="col">Row</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.id} data-bad={row.verified ? undefined : ''}>
                  <td>
                    <Utc at={row.at} />
                  </td>
                  <td data-bad={/crash|fail/i.test(row.event ?? '') || undefined}>
                    {row.event ?? 'unknown'}
                  </td>
                  <td title={row.detail ?? undefined}>{row.detail}</td>
                  <td>
                    <Link href={pathWith('/agents/audit', { around: row.id })}>
                      {!row.verified && (
                        <IconAlertOctagonFilled size={14} aria-label="does not match its hash" role="img" />
                      )}{' '}
                      {formatCount(row.id)}
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}
