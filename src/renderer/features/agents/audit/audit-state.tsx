import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { utcClock } from '../agent-time.ts'
import { ProgressBar } from '../../../components/feedback/progress-bar.tsx'
import { Badge } from '../../../components/feedback/status.tsx'
import { checkProgress, searchedPart } from './audit-labels.ts'
import type { AuditFound } from './audit-labels.ts'
import { texts } from '../agents.texts.ts'
import classes from './audit.module.css'
import type { AuditList } from './use-audit-list.ts'

/** The result and the progress of checking all hashes. */
export function AuditState({ summary, stamp }: { summary: AuditSummary; stamp: AgentStamp }) {
  const { mismatches, missing, gaps, total } = summary
  const progress = checkProgress(summary, stamp.counting)
  const labels = texts.audit.state
  const isWell = mismatches === 0 && gaps === 0
  return (
    <p className={classes['state']}>
      {mismatches > 0 && <Badge tone="bad" text={labels.mismatches(mismatches)} />}
      {mismatches > 0 && gaps > 0 && <span>{labels.and}</span>}
      {gaps > 0 && <Badge tone="warn" text={labels.gaps(gaps, missing)} />}
      {progress !== null ? (
        <span>
          {progress.text}
          <ProgressBar label={labels.progress} done={progress.done} />
        </span>
      ) : (
        total !== null &&
        total > 0 && (
          <span>
            {isWell && <IconCheck size={14} stroke={1.75} data-ink="ok" aria-hidden />}
            {isWell ? labels.allWell(total) : labels.allChecked(total)}
          </span>
        )
      )}
    </p>
  )
}

/** The progress of the search, with buttons that cancel and resume it. */
export function AuditSearchLine({ search }: { search: NonNullable<AuditList['search']> }) {
  const { found, cancel, resume } = search
  const part = searchedPart(found)
  return (
    <>
      {found.state === 'searching' && <ProgressBar label={texts.audit.searching.progress} done={part} />}
      <span role="status">{searchStatus(found, part)}</span>
      {found.state === 'searching' && (
        <Button size="xs" onClick={cancel}>
          {texts.audit.searching.cancel}
        </Button>
      )}
      {found.state === 'canceled' && (
        <Button size="xs" onClick={resume}>
          {texts.audit.searching.resume}
        </Button>
      )}
    </>
  )
}

function searchStatus({ state, rows, at, page }: AuditFound, part: number | null): string {
  const labels = texts.audit.searching
  return labels.status[state]({
    found: labels.found(rows),
    share: part === null ? '' : labels.share(Math.floor(part * 100)),
    down: at === null ? '' : labels.down(at),
    when: page === null ? '' : labels.asOf(utcClock(page.stamp.readAt)),
  })
}
