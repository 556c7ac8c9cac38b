import { choice, day, flag, named, searched, viewFilter } from '../../../lib/list/view-filter.ts'

export const auditTimes = ['today', 'yesterday', '7 days', '30 days', 'range'] as const

const only = (name: string): string => `Not only ${name}`

/** Which audit rows are listed. A `range` has days in UTC, both included; a missing one leaves its end open. */
export const auditFilter = viewFilter(
  '/agents/audit',
  {
    q: searched,
    agent: named(500, only),
    event: named(500, only),
    time: choice(auditTimes, null, () => 'Any time'),
    from: day,
    to: day,
    trouble: flag('Also rows that match'),
  },
  (filter) => (filter.time === 'range' ? filter : { ...filter, from: null, to: null }),
)
export type AuditListFilter = typeof auditFilter.usual
export type AuditQuery = Record<string, string>

const dayMs = 86_400_000

/** The same for the server; days begin and end in UTC. */
export function auditQuery(filter: AuditListFilter, now: number): AuditQuery {
  const { from, to } = spanOf(filter, now)
  return {
    ...auditFilter.query(filter, ['q', 'agent', 'event', 'trouble']),
    ...(from === null ? {} : { from: new Date(from).toISOString() }),
    ...(to === null ? {} : { to: new Date(to).toISOString() }),
  }
}

function spanOf(
  { time, from, to }: AuditListFilter,
  now: number,
): { from: number | null; to: number | null } {
  const today = Math.floor(now / dayMs) * dayMs
  switch (time) {
    case 'today':
      return { from: today, to: null }
    case 'yesterday':
      return { from: today - dayMs, to: today }
    case '7 days':
      return { from: today - 6 * dayMs, to: null }
    case '30 days':
      return { from: today - 29 * dayMs, to: null }
    case 'range': {
      const days = [from, to].map((one) => (one === null ? null : Date.parse(one)))
      const [first = null, last = null] = days
      // In either order.
      const isTurned = first !== null && last !== null && last < first
      const end = isTurned ? first : last
      return { from: isTurned ? last : first, to: end === null ? null : end + dayMs }
    }
    case null:
      return { from: null, to: null }
    default:
      return time satisfies never
  }
}
