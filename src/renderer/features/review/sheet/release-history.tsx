import { Link, useSearch } from 'wouter'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { DeprecationPart } from '../../../components/deprecation/deprecation.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Status, statuses } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { useMay, useMayOpen } from '../../../lib/app/areas.ts'
import { queueFilter } from '../queue/queue-filter.ts'
import { NameOwners } from './name-owners.tsx'
import { DecisionEvidence } from '../decision/decision-evidence.tsx'
import { texts } from '../review.texts.ts'
import classes from './release-history.module.css'
import { Section } from '../../../components/section.tsx'

type Event = DeskRelease['events'][number]

/** The events of this release, and the status of the other versions of the skill. */
export function ReleaseHistory({ release }: { release: DeskRelease }) {
  const filter = queueFilter.read(useSearch())
  const mayOpenAuditLog = useMayOpen('/history')
  const mayDeprecate = useMay('administrator')
  const { events, statement, siblings } = release
  const last = events.find(isDecision)
  return (
    <>
      <Section id="history" title={texts.history.title} note={texts.history.events(events.length)}>
        <ol>
          {events.map((event) => (
            <li key={`${event.at} ${event.kind} ${event.check ?? ''}`} className={classes['event']}>
              <span data-text="note">
                <When at={event.at} />
              </span>
              <div>
                <p>
                  <EventText event={event} /> {texts.history.by} {event.person}
                  {event.selfApproved && ` ${texts.history.selfApproved}`}
                </p>
                {event.why !== null && (
                  <p className={classes['reason']} data-text="hint">
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
        {mayOpenAuditLog && (
          <p className={classes['all']}>
            <Link href="/history">{texts.history.auditLog}</Link>
          </p>
        )}
      </Section>
      <Section title={texts.history.otherVersions} note={texts.history.versions(siblings.length)}>
        {siblings.length === 0 ? (
          <p className={classes['reason']} data-text="hint">
            {texts.history.firstRelease}
          </p>
        ) : (
          <ul>
            {siblings.map(({ id, version, status, createdAt }) => (
              <li key={id} className={classes['sibling']}>
                <Link href={queueFilter.path(filter, id)} data-mono>
                  {version}
                </Link>
                <Status kind={status} />
                <span data-text="note">
                  <When at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {mayDeprecate && release.status === 'approved' && (
        <Section title={texts.history.deprecation}>
          <DeprecationPart release={release} />
        </Section>
      )}
      <NameOwners name={release.name} />
    </>
  )
}

function isDecision({ kind }: Event): boolean {
  return kind === 'approved' || kind === 'rejected' || kind === 'revoked'
}

type StatusKind = Extract<Event['kind'], keyof typeof statuses>

const isStatus = (kind: Event['kind']): kind is StatusKind => kind in statuses

function EventText({ event: { kind, check } }: { event: Event }) {
  if (kind === 'judged' || kind === 'withdrawn') {
    return (
      <>
        <code>{check}</code> {texts.history.dismissals[kind]}
      </>
    )
  }
  return isStatus(kind) ? <Status kind={kind} /> : texts.history.kinds[kind]
}
