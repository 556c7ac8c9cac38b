import type { HistoryEntry, HistoryKind } from '../../../../shared/contracts/desk-history.ts'
import { fold } from '../queue/review-queue.rules.ts'

/** The query of a request. */
export interface HistoryQuery {
  kind?: HistoryKind | undefined
  person?: number | undefined
  /** Days in UTC, inclusive. */
  from?: string | undefined
  to?: string | undefined
  q?: string | undefined
}

/** The time range of a query, inclusive. */
export function timesOf({ from, to }: HistoryQuery): { from: string; to: string } {
  return {
    from: from === undefined ? '' : `${from}T00:00:00.000Z`,
    to: `${to ?? '9999-12-31'}T23:59:59.999Z`,
  }
}

/** Matches entries whose name, person or notes contain the search text; null for a blank search. */
export function historySearch(q: string | undefined): ((entry: HistoryEntry) => boolean) | null {
  const term = fold((q ?? '').trim())
  if (term === '') return null
  return ({ name, person, why }) =>
    name.includes(term) || fold(person).includes(term) || (why !== null && fold(why).includes(term))
}

const columns: readonly (readonly [string, (entry: HistoryEntry) => string | number | null])[] = [
  ['time', ({ at }) => at],
  ['event', ({ kind }) => kind],
  ['person', ({ person }) => person],
  ['skill', ({ name }) => name],
  ['version', ({ version }) => version],
  ['check', ({ check }) => check],
  ['why', ({ why }) => why],
  ['evidence', ({ evidence }) => (evidence === null ? null : evidence ? 'given' : 'none')],
  ['person id', ({ personId }) => personId],
  ['release id', ({ releaseId }) => releaseId],
  ['self-approved', ({ selfApproved }) => (selfApproved ? 'yes' : null)],
]

/** Spreadsheet programs treat cells that begin like this as formulas and run them. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function toCell(value: string | number | null): string {
  if (value === null) return ''
  const text = String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const toLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`

/** RFC 4180. */
export const csvHead = toLine(columns.map(([head]) => head))
export const toCsv = (entries: readonly HistoryEntry[]): string =>
  entries.map((entry) => toLine(columns.map(([, value]) => value(entry)))).join('')

/** `skilldock-history-2026-01-01-to-2026-02-01.csv` */
export function exportName({ from, to }: HistoryQuery, ending: 'csv' | 'json', today: Date): string {
  const last = to ?? today.toISOString().slice(0, 10)
  return `skilldock-history-${from === undefined ? last : `${from}-to-${last}`}.${ending}`
}
