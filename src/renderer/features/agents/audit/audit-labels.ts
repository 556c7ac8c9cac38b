import type { AuditGap, AuditPage, AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { utcClock } from '../agent-time.ts'
import { texts } from '../agents.texts.ts'

/** `2026-11-20 10:42:07 Z` */
export function auditTime(at: string | null): string {
  return at === null ? texts.unknown : `${at.slice(0, 10)} ${utcClock(at)} Z`
}

/** Which rows are missing, and what is known about them. */
export function gapText({ from, to, rows, after, before, lamportContinues }: AuditGap) {
  const labels = texts.audit.gap
  const known = lamportContinues ? labels.lamportContinues(rows) : labels.lamportGap
  const lamport = lamportContinues === null ? labels.lamportUnknown : known
  return {
    title: rows === 1 ? labels.one(from) : labels.many(from, to),
    detail: labels.sentence(between(after, before), lamport),
  }
}

function between(after: string | null, before: string | null): string {
  if (after === null || before === null) return texts.audit.gap.unknownTimes
  const sameDay = after.slice(0, 10) === before.slice(0, 10)
  const format = sameDay ? utcClock : auditTime
  return texts.audit.gap.between(format(after), format(before))
}

/** The progress of checking all hashes; null once all are checked. */
export function checkProgress(
  { total, checked, checkedAt }: AuditSummary,
  counting: AgentStamp['counting'],
): { text: string; done: number } | null {
  const labels = texts.audit.state
  if (counting !== null && counting.total > 0) {
    const text = labels.checkedOfAbout(counting.done, counting.total)
    return { text, done: counting.done / counting.total }
  }
  if (total === null) return { text: labels.checkedSoFar(checked), done: 0 }
  if (checked >= total || checkedAt !== null) return null
  return { text: labels.checkedOf(checked, total), done: total === 0 ? 1 : checked / total }
}

/** The progress of a search. */
export interface AuditFound {
  rows: number
  /** The newest row when the search began; it has reached `at`. Null before the first response. */
  top: number | null
  /** Null if all rows have been searched. */
  at: number | null
  state: 'searching' | 'paused' | 'canceled' | 'done' | 'failed'
  /** The latest response, for what it says besides the rows. */
  page: AuditPage | null
}

/** How much of the audit has been searched, from 0 to 1; null while unknown. */
export function searchedPart({ state, top, at, page }: AuditFound): number | null {
  if (state === 'done') return 1
  const firstId = page?.summary.firstId ?? null
  if (top === null || at === null || firstId === null || top <= firstId) return null
  return Math.max(0, Math.min(1, (top - at + 1) / (top - firstId + 1)))
}
