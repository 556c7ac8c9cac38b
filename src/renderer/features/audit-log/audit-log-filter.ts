import { auditFilterKinds, maxAboutCharacters } from '../../../shared/contracts/desk-audit-log.ts'
import { readId } from '../../lib/app/page-address.ts'
import { choice, day, named, searched, viewFilter } from '../../lib/list/view-filter.ts'
import type { Field } from '../../lib/list/view-filter.ts'

/** The id of an account. */
const person: Field<string | null> = {
  default: null,
  read: (text) => ((readId(text) ?? 0) > 0 ? text : null),
}

/** Which events are listed and exported. Days are in UTC; both are inclusive. */
export const auditLogFilter = viewFilter('/history', {
  kind: choice(auditFilterKinds, null),
  person,
  about: named(maxAboutCharacters),
  from: day,
  to: day,
  q: searched,
})
export type AuditLogFilter = typeof auditLogFilter.defaults

export function isUnfiltered(filter: AuditLogFilter): boolean {
  return Object.keys(auditLogFilter.query(filter)).length === 0
}
