import type {
  AuditGap,
  AuditPage,
  AuditRow,
  AuditSummary,
} from '../../../../shared/contracts/desk-agents-audit.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { utcClock } from '../agent-time.ts'

/** `2026-11-20 10:42:07 Z` */
export function auditTime(at: string | null): string {
  return at === null ? 'unknown' : `${at.slice(0, 10)} ${utcClock(at)} Z`
}

/** Which rows are missing, and what is known of them. */
export function gapText({ from, to, rows, after, before, lamportContinues }: AuditGap): {
  what: string
  known: string
} {
  const what =
    rows === 1
      ? `Row ${formatCount(from)} is missing`
      : `Rows ${formatCount(from)} to ${formatCount(to)} are missing`
  const lamport =
    lamportContinues === null
      ? 'Whether Lamport goes on is unknown.'
      : lamportContinues
        ? `Lamport goes on without a break, so ${rows === 1 ? 'it' : 'they'} may never have existed.`
        : 'Lamport has a break as well.'
  return { what, known: `${between(after, before)}. ${lamport}` }
}

function between(after: string | null, before: string | null): string {
  if (after === null || before === null) return 'between rows whose times are unknown'
  const sameDay = after.slice(0, 10) === before.slice(0, 10)
  return sameDay
    ? `between ${utcClock(after)} and ${utcClock(before)}`
    : `between ${auditTime(after)} and ${auditTime(before)}`
}

/** What a row's hash is computed from, cut where it is long. */
export function hashedText({ lamport, agent, event }: AuditRow): string {
  return `${lamport ?? ''}:${agent ?? ''}:${event ?? ''}:…`
}

/** How far the check of all hashes is: null where all are checked. */
export function checkProgress(
  { total, checked, checkedAt }: AuditSummary,
  counting: { done: number; total: number } | null,
): { words: string; done: number } | null {
  if (counting !== null && counting.total > 0) {
    const words = `${formatCount(counting.done)} of about ${formatCount(counting.total)} hashes checked`
    return { words, done: counting.done / counting.total }
  }
  if (total === null) return { words: `${plural(checked, 'hash', 'hashes')} checked so far`, done: 0 }
  if (checked >= total || checkedAt !== null) return null
  return {
    words: `${formatCount(checked)} of ${formatCount(total)} hashes checked`,
    done: total === 0 ? 1 : checked / total,
  }
}

/** `crashed` is trouble, `budget.paused` a hindrance; any other event is as it should be. */
export function eventTone(event: string | null): 'bad' | 'warn' | undefined {
  if (event === null) return undefined
  if (/crash|panic/i.test(event)) return 'bad'
  return /pause|budget/i.test(event) ? 'warn' : undefined
}

/** What a search has found so far. */
export interface AuditFound {
  rows: number
  /** The newest row when it began; it has gone down to `at`. Null before the first answer. */
  top: number | null
  /** Null: through all rows. */
  at: number | null
  state: 'searching' | 'resting' | 'cancelled' | 'done' | 'failed'
  /** The last answer, for what it says beside the rows. */
  page: AuditPage | null
}

/** How much of the audit has been looked through, from 0 to 1; null while that is not known. */
export function searchedPart({ state, top, at, page }: AuditFound): number | null {
  if (state === 'done') return 1
  const firstId = page?.summary.firstId ?? null
  if (top === null || at === null || firstId === null || top <= firstId) return null
  return Math.max(0, Math.min(1, (top - at + 1) / (top - firstId + 1)))
}
