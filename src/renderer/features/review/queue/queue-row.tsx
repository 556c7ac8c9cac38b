import { VisuallyHidden } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconArrowUpRight,
  IconCheck,
  IconCircleCheck,
  IconHelpCircle,
  IconMessageExclamation,
  IconMessageQuestion,
  IconMessageReply,
  IconSparkles,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { memo } from 'react'
import type { ThreadSummary } from '../../../../shared/contracts/thread.ts'
import { ListRow } from '../../../components/list/list-row.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { plural } from '../../../lib/format.ts'
import { formatAge, formatWhen } from '../../../lib/time/time.ts'
import { queueFilter } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import type { ReviewRow } from '../review.api.ts'
import { HeldStatus } from '../decision/held-status.tsx'
import { OpenElsewhere } from '../sheet/open-elsewhere.tsx'
import { texts } from '../review.texts.ts'
import classes from './queue-row.module.css'

interface Props {
  row: ReviewRow
  filter: QueueFilter
  selected: boolean
  now: number
  me: number
}

/** One release: pending with its age and check results, or decided with who and when. */
export const QueueRowLink = memo(function QueueRowLink({ row, filter, selected, now, me }: Props) {
  const pending = row.status === 'pending'
  const when = row.decidedAt ?? row.createdAt
  return (
    <ListRow
      id={row.id}
      href={queueFilter.path(filter, row.id)}
      selected={selected}
      quiet={!pending}
      mono
      name={
        <>
          {row.name}
          {!pending && <span className={classes['version']}> {row.version}</span>}
        </>
      }
      when={
        pending
          ? { at: row.createdAt, text: formatAge(now - Date.parse(row.createdAt)) }
          : { at: when, text: formatWhen(when, now) }
      }
      by={
        pending ? (
          <>
            <span className={classes['version']}>{row.version}</span> {texts.queue.byPerson(row.publisher)}
          </>
        ) : (
          <>
            <Status kind={row.status} /> {row.decidedBy === null ? '' : texts.queue.byPerson(row.decidedBy)}
            {row.selfApproved && texts.queue.selfApproved}
          </>
        )
      }
      badges={
        <>
          <OpenElsewhere releaseId={row.id} short />
          {pending &&
            (row.held === null ? <RowBadges row={row} /> : <HeldStatus held={row.held} me={me} short />)}
        </>
      }
    />
  )
})

/** The check results of a pending release as badges: text or a number, with an icon and a color. */
function RowBadges({
  row: { checks, first, firstApprovedBy, thread },
}: {
  row: Pick<ReviewRow, 'checks' | 'first' | 'firstApprovedBy' | 'thread'>
}) {
  const isClean = checks !== null && checks.errors === 0 && checks.warnings === 0 && !checks.grew
  return (
    <>
      {firstApprovedBy !== null && (
        <Badge icon={IconCircleCheck} text={texts.queue.firstApproved(firstApprovedBy)} />
      )}
      {thread !== null && <ThreadBadge thread={thread} />}
      {checks?.grew === true && (
        <Badge icon={IconArrowUpRight} tone="bad" text={texts.queue.checks.newCapabilities} />
      )}
      {checks !== null && checks.errors > 0 && (
        <Badge icon={IconAlertOctagonFilled} tone="bad" text={counted(checks.errors, 'error')} />
      )}
      {checks !== null && checks.warnings > 0 && (
        <Badge icon={IconAlertTriangle} tone="warn" text={counted(checks.warnings, 'warning')} />
      )}
      {first && <Badge icon={IconSparkles} text={texts.queue.checks.first} />}
      {isClean && !first && <Badge icon={IconCheck} text={texts.queue.checks.clean} />}
      {checks === null && !first && <Badge icon={IconHelpCircle} text={texts.queue.checks.notChecked} />}
    </>
  )
}

/** The label, or who has not answered. */
function ThreadBadge({ thread }: { thread: ThreadSummary }) {
  const { changesRequested, answered, asked } = texts.queue.checks
  if (thread.changesRequested) {
    return <Badge icon={IconMessageExclamation} tone="warn" text={changesRequested} />
  }
  return thread.waitingFor === 'reviewer' ? (
    <Badge icon={IconMessageReply} text={answered} />
  ) : (
    <Badge icon={IconMessageQuestion} text={asked} />
  )
}

const counted = (count: number, severity: 'error' | 'warning'): BadgeText => [
  String(count),
  plural(count, texts.queue.checks[severity]),
]

/** What is shown, and the full text as a tooltip and for screen readers; or one text that is both. */
type BadgeText = string | readonly [shown: string, full: string]

function Badge({ icon: BadgeIcon, tone, text }: { icon: Icon; tone?: 'bad' | 'warn'; text: BadgeText }) {
  const [shown, full] = typeof text === 'string' ? [text] : text
  return (
    <span className={classes['sign']} data-ink={tone} title={full}>
      <BadgeIcon size={14} stroke={1.75} aria-hidden />
      {full === undefined ? (
        shown
      ) : (
        <>
          <span aria-hidden>{shown}</span>
          <VisuallyHidden>{full}</VisuallyHidden>
        </>
      )}
    </span>
  )
}
