import { Link } from 'wouter'
import type { HistoryEntry } from '../../../../shared/contracts/desk-history.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { evidenceWords } from '../kinds.ts'
import { EventKind } from './event-kind.tsx'
import classes from './history-detail.module.css'

/** The selected event in full. */
export function HistoryDetail({ entry }: { entry: HistoryEntry }) {
  const evidence = evidenceWords(entry)
  return (
    <div className={classes['detail']}>
      <p className={classes['facts']}>
        <Link href={`/review/${entry.releaseId}?view=all`}>
          {entry.name} {entry.version}
        </Link>
        <EventKind kind={entry.kind} />
        {entry.check !== null && <code>{entry.check}</code>}
        <span>
          by {entry.person}
          {entry.selfApproved && ', its own publisher'}, <time dateTime={entry.at}>{entry.at}</time>
        </span>
        {evidence !== '' && <span>{evidence}</span>}
      </p>
      <p className={classes['why']}>
        {entry.why === null ? 'Nothing was written.' : <PlainText text={entry.why} />}
      </p>
    </div>
  )
}
