import { Link } from 'wouter'
import type { HistoryEntry } from '../../../../shared/contracts/desk-history.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { evidenceLabel } from '../kinds.ts'
import { EventKind } from './event-kind.tsx'
import { texts } from '../history.texts.ts'
import classes from './history-detail.module.css'

/** The selected event in full. */
export function HistoryDetail({ entry }: { entry: HistoryEntry }) {
  const evidence = evidenceLabel(entry)
  return (
    <div className={classes['detail']}>
      <p className={classes['facts']}>
        <Link href={`/review/${entry.releaseId}?view=all`}>
          {entry.name} {entry.version}
        </Link>
        <EventKind kind={entry.kind} />
        {entry.check !== null && <code>{entry.check}</code>}
        <span>
          {texts.detail.by(entry.person)}
          {entry.selfApproved && texts.detail.selfApproved}, <time dateTime={entry.at}>{entry.at}</time>
        </span>
        {evidence !== '' && <span>{evidence}</span>}
      </p>
      <p className={classes['notes']}>
        {entry.why === null ? texts.detail.noNotes : <PlainText text={entry.why} />}
      </p>
    </div>
  )
}
