import { IconAlertOctagonFilled, IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { checkProgress } from './audit-words.ts'
import classes from './audit-state.module.css'
import { ProgressLine } from '../components/progress-line.tsx'

/** What the check of all hashes has found, and how far it is. */
export function AuditState({ summary, stamp }: { summary: AuditSummary; stamp: AgentStamp }) {
  const { mismatches, missing, gaps, total } = summary
  const progress = checkProgress(summary, stamp.counting)
  return (
    <p className={classes['state']}>
      {mismatches > 0 && (
        <b data-tone="bad">
          <IconAlertOctagonFilled size={14} aria-hidden /> {plural(mismatches, 'mismatch', 'mismatches')}
        </b>
      )}
      {mismatches > 0 && gaps > 0 && <span>and</span>}
      {gaps > 0 && (
        <b data-tone="warn">
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden />{' '}
          {gaps === 1
            ? `1 gap of ${formatCount(missing)}`
            : `${formatCount(gaps)} gaps of ${formatCount(missing)}`}
        </b>
      )}
      {progress === null ? (
        <span>
          {mismatches === 0 && gaps === 0 && total !== 0 && (
            <IconCheck size={14} stroke={1.75} className={classes['tick']} aria-hidden />
          )}
          {total !== null && wordsOf(total, mismatches + gaps)}
        </span>
      ) : (
        <span className={classes['progress']}>
          {progress.words}
          <ProgressLine label="Hashes checked" done={progress.done} />
        </span>
      )}
    </p>
  )
}

function wordsOf(total: number, trouble: number): string {
  if (total === 0) return ''
  return trouble > 0
    ? `in ${plural(total, 'row')}, all hashes checked`
    : `No mismatch and no gap in ${plural(total, 'row')}, all hashes checked`
}
