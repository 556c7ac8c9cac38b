import { Link, useSearch } from 'wouter'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { plural } from '../../../lib/format.ts'
import { readFilter, reviewPath } from '../queue/queue-filter.ts'
import { DecisionEvidence } from '../decision/decision-evidence.tsx'
import classes from './release-history.module.css'
import { Section } from '../../../components/section.tsx'

type Event = DeskRelease['events'][number]

/** What happened to this release, and how the other versions of the name stand. */
export function ReleaseHistory({
  release,
}: {
  release: Pick<DeskRelease, 'events' | 'statement' | 'siblings'>
}) {
  const filter = readFilter(useSearch())
  const { events, statement, siblings } = release
  const last = events.find(isDecision)
  return (
    <>
      <Section id="history" title="History" note={plural(events.length, 'event')}>
        <ol>
          {events.map((event) => (
            <li key={`${event.at} ${event.kind} ${event.check ?? ''}`} className={classes['event']}>
              <span className={classes['when']}>
                <When at={event.at} />
              </span>
              <div>
                <p>
                  <What event={event} /> by {event.person}
                  {event.selfApproved && ', its own publisher'}
                </p>
                {event.why !== null && (
                  <p className={classes['reason']}>
                    <PlainText text={event.why} />
                  </p>
                )}
                {event.evidence !== null && (
                  <DecisionEvidence given={event.evidence} statement={event === last ? statement : null} />
                )}
              </div>
            </li>
          ))}
        </ol>
        <p className={classes['all']}>
          <Link href="/history">History of everything</Link>
        </p>
      </Section>
      <Section title="Other versions" note={plural(siblings.length, 'version')}>
        {siblings.length === 0 ? (
          <p className={classes['reason']}>This is the first release of the name.</p>
        ) : (
          <ul>
            {siblings.map(({ id, version, status, createdAt }) => (
              <li key={id} className={classes['sibling']}>
                <Link href={reviewPath(id, filter)}>{version}</Link>
                <Status kind={status} />
                <span className={classes['when']}>
                  <When at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function isDecision({ kind }: Event): boolean {
  return kind === 'approved' || kind === 'rejected' || kind === 'revoked'
}

function What({ event: { kind, check } }: { event: Event }) {
  switch (kind) {
    case 'submitted':
      return 'submitted'
    case 'judged':
      return (
        <>
          <code>{check}</code> judged harmless
        </>
      )
    case 'withdrawn':
      return (
        <>
          judgement of <code>{check}</code> withdrawn
        </>
      )
    default:
      return <Status kind={kind} />
  }
}
