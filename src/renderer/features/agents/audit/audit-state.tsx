import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { utcClock } from '../agent-time.ts'
import { ProgressBar } from '../../../components/feedback/progress-bar.tsx'
import { checkProgress, searchedPart } from './audit-labels.ts'
import type { AuditFound } from './audit-labels.ts'
import classes from './audit.module.css'
import type { AuditList } from './use-audit-list.ts'

/** What the check of all hashes has found, and how far it is. */
export function AuditState({ summary, stamp }: { summary: AuditSummary; stamp: AgentStamp }) {
  const { mismatches, missing, gaps, total } = summary
  const progress = checkProgress(summary, stamp.counting)
  const isWell = mismatches === 0 && gaps === 0
  return (
    <p className={classes['state']}>
      {mismatches > 0 && (
        <b data-ink="bad">
          <IconAlertOctagonFilled size={14} aria-hidden /> {plural(mismatches, 'mismatch', 'mismatches')}
        </b>
      )}
      {mismatches > 0 && gaps > 0 && <span>and</span>}
      {gaps > 0 && (
        <b data-ink="warn">
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden />{' '}
          {`${plural(gaps, 'gap')} of ${formatCount(missing)}`}
        </b>
      )}
      {progress !== null ? (
        <span className={classes['progress']}>
          {progress.words}
          <ProgressBar label="Hashes checked" done={progress.done} />
        </span>
      ) : (
        total !== null &&
        total > 0 && (
          <span>
            {isWell && <IconCheck size={14} stroke={1.75} data-ink="ok" aria-hidden />}
            {`${isWell ? 'No mismatch and no gap ' : ''}in ${plural(total, 'row')}, all hashes checked`}
          </span>
        )
      )}
    </p>
  )
}

/** How far the search is, with the way to end it or to go on. */
export function AuditSearchLine({ search }: { search: NonNullable<AuditList['search']> }) {
  const { found, cancel, goOn } = search
  const part = searchedPart(found)
  return (
    <>
      {found.state === 'searching' && <ProgressBar label="Rows searched" done={part} />}
      <span role="status">{searchStatus(found, part)}</span>
      {found.state === 'searching' && (
        <Button size="xs" onClick={cancel}>
          Cancel
        </Button>
      )}
      {found.state === 'cancelled' && (
        <Button size="xs" onClick={goOn}>
          Search on
        </Button>
      )}
    </>
  )
}

function searchStatus({ state, rows, at, page }: AuditFound, part: number | null): string {
  const found = `${plural(rows, 'row')} found`
  const share = part === null ? '' : ` in ${Math.floor(part * 100)} % of the audit`
  const down = at === null ? '' : `, down to row ${formatCount(at)}`
  const when = page === null ? '' : `, as of ${utcClock(page.stamp.readAt)} UTC`
  switch (state) {
    case 'searching':
      return `Searching: ${found}${share}`
    case 'resting':
      return `${found}${down}; more when you scroll on`
    case 'cancelled':
      return `Cancelled: ${found}${share}${down}`
    case 'failed':
      return `The search has stopped: ${found}${share}${down}`
    case 'done':
      return `${found} in the whole audit${when}`
    default:
      return state satisfies never
  }
}
