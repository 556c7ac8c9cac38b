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
import type { ThreadSummary } from '../../../../shared/contracts/thread.ts'
import { plural } from '../../../lib/format.ts'
import type { ReviewRow } from '../review.api.ts'
import { texts } from '../review.texts.ts'
import classes from './row-badges.module.css'

/** The check results of a pending release as badges: text or a number, with an icon and a color. */
export function RowBadges({
  row: { checks, first, firstApprovedBy, thread },
}: {
  row: Pick<ReviewRow, 'checks' | 'first' | 'firstApprovedBy' | 'thread'>
}) {
  const isClean = checks !== null && checks.errors === 0 && checks.warnings === 0 && !checks.grew
  return (
    <span className={classes['signs']}>
      {firstApprovedBy !== null && (
        <Badge
          icon={IconCircleCheck}
          short={texts.queue.firstApprovedShort}
          text={texts.queue.firstApproved(firstApprovedBy)}
        />
      )}
      {thread !== null && <ThreadBadge thread={thread} />}
      {checks?.grew === true && (
        <Badge
          icon={IconArrowUpRight}
          tone="bad"
          short={texts.queue.checks.newCapabilitiesShort}
          text={texts.queue.checks.newCapabilities}
        />
      )}
      {checks !== null && checks.errors > 0 && (
        <Badge
          icon={IconAlertOctagonFilled}
          tone="bad"
          count={checks.errors}
          text={texts.queue.checks.error}
        />
      )}
      {checks !== null && checks.warnings > 0 && (
        <Badge
          icon={IconAlertTriangle}
          tone="warn"
          count={checks.warnings}
          text={texts.queue.checks.warning}
        />
      )}
      {first && <Badge icon={IconSparkles} text={texts.queue.checks.first} />}
      {isClean && !first && <Badge icon={IconCheck} text={texts.queue.checks.clean} />}
      {checks === null && !first && <Badge icon={IconHelpCircle} text={texts.queue.checks.notChecked} />}
    </span>
  )
}

/** The label, or who has not answered. */
function ThreadBadge({ thread }: { thread: ThreadSummary }) {
  const { checks } = texts.queue
  if (thread.changesRequested) {
    return (
      <Badge
        icon={IconMessageExclamation}
        tone="warn"
        short={checks.changesRequestedShort}
        text={checks.changesRequested}
      />
    )
  }
  return thread.waitingFor === 'reviewer' ? (
    <Badge icon={IconMessageReply} short={checks.answeredShort} text={checks.answered} />
  ) : (
    <Badge icon={IconMessageQuestion} short={checks.askedShort} text={checks.asked} />
  )
}

/** Shows the count or the short text, if there is one; then the full text is a tooltip and for screen readers. */
function Badge({
  icon: BadgeIcon,
  tone,
  text,
  short,
  count,
}: {
  icon: Icon
  tone?: 'bad' | 'warn'
  text: string
  short?: string
  count?: number
}) {
  const shown = count === undefined ? short : String(count)
  const full = count === undefined ? text : plural(count, text)
  return (
    <span className={classes['sign']} data-ink={tone} title={shown === undefined ? undefined : full}>
      <BadgeIcon size={14} stroke={1.75} aria-hidden />
      {shown === undefined ? (
        full
      ) : (
        <>
          <span aria-hidden>{shown}</span>
          <VisuallyHidden>{full}</VisuallyHidden>
        </>
      )}
    </span>
  )
}
