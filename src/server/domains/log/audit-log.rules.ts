import { auditGroups, kindsOfGroup } from '../../../shared/audit-kinds.texts.ts'
import type { AuditGroup, AuditKind } from '../../../shared/audit-kinds.texts.ts'
import type { AuditEntry, AuditFilterKind, AuditQuery } from '../../../shared/contracts/desk-audit-log.ts'
import { csvOf } from '../../../shared/csv.ts'
import { fold } from '../releases/releases.rules.ts'

/** The kinds of a group, or the kind itself. */
export const kindsOf = (kind: AuditFilterKind): readonly AuditKind[] =>
  Object.hasOwn(auditGroups, kind) ? kindsOfGroup(kind as AuditGroup) : [kind as AuditKind]

/** The time range of a query, inclusive. */
export function timesOf({ from, to }: AuditQuery): { from: string; to: string } {
  return {
    from: from === undefined ? '' : `${from}T00:00:00.000Z`,
    to: `${to ?? '9999-12-31'}T23:59:59.999Z`,
  }
}

/** Matches entries whose names, reason or changed values contain the search text; null for a blank search. */
export function auditSearch(q: string | undefined): ((entry: AuditEntry) => boolean) | null {
  const term = fold((q ?? '').trim())
  if (term === '') return null
  const has = (text: string | null): boolean => text !== null && fold(text).includes(term)
  return ({ name, person, why, changes }) =>
    has(name) || has(person) || has(why) || changes.some(({ from, to }) => has(from) || has(to))
}

const csv = csvOf<AuditEntry>([
  ['time', 'at'],
  ['event', 'kind'],
  'person',
  ['about', 'name'],
  'version',
  'check',
  'why',
  ['evidence', ({ evidence }) => (evidence === null ? null : evidence ? 'given' : 'none')],
  ['person id', 'personId'],
  ['release id', 'releaseId'],
  ['self-approved', ({ selfApproved }) => selfApproved || null],
  'channel',
  'address',
  ['changes', ({ changes }) => (changes.length === 0 ? null : JSON.stringify(changes))],
  'count',
  ['last time', 'lastAt'],
  ['log entry', 'entry'],
])
export const csvHead = csv.head
export const toCsv = (entries: readonly AuditEntry[]): string => entries.map(csv.lineOf).join('')
export const toNdjson = (entries: readonly AuditEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

/** `skilldock-history-2026-01-01-to-2026-02-01.csv` */
export function exportName({ from, to }: AuditQuery, ending: 'csv' | 'ndjson', today: Date): string {
  const last = to ?? today.toISOString().slice(0, 10)
  return `skilldock-history-${from === undefined ? last : `${from}-to-${last}`}.${ending}`
}
