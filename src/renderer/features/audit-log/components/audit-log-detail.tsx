import { Link } from 'wouter'
import type { AuditEntry } from '../../../../shared/contracts/desk-audit-log.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { changesLabel, evidenceLabel, originLabel } from '../audit-log-labels.ts'
import { auditLogFilter } from '../audit-log-filter.ts'
import { EventKind } from './event-kind.tsx'
import { texts } from '../audit-log.texts.ts'
import classes from './audit-log-detail.module.css'

/** The selected event in full. */
export function AuditLogDetail({ entry }: { entry: AuditEntry }) {
  const evidence = evidenceLabel(entry)
  const [origin, changes] = [originLabel(entry), changesLabel(entry)]
  return (
    <div className={classes['detail']}>
      <p className={classes['facts']}>
        {entry.releaseId === null ? (
          <span className={classes['name']}>{entry.name}</span>
        ) : (
          <Link href={`/review/${entry.releaseId}?view=all`}>
            {entry.name} {entry.version}
          </Link>
        )}
        <EventKind kind={entry.kind} />
        {entry.check !== null && <code>{entry.check}</code>}
        <span>
          {entry.person !== null && texts.detail.by(entry.person)}
          {entry.selfApproved && texts.detail.selfApproved}
          {entry.person !== null && ', '}
          <time dateTime={entry.at}>{entry.at}</time>
          {entry.lastAt !== null && entry.lastAt !== entry.at && `, ${texts.detail.until(entry.lastAt)}`}
        </span>
        {origin !== '' && <span>{texts.detail.from(origin)}</span>}
        {evidence !== '' && <span>{evidence}</span>}
        {entry.entry !== null && <span>{texts.detail.entry(entry.entry)}</span>}
        {entry.name !== '' && (
          <Link href={auditLogFilter.path({ about: entry.name })} className={classes['only']}>
            {texts.detail.onlyAbout(entry.name)}
          </Link>
        )}
      </p>
      <p className={classes['notes']}>
        {entry.why !== null && <PlainText text={entry.why} />}
        {entry.why === null && (changes === '' ? texts.detail.noNotes : changes)}
      </p>
    </div>
  )
}
