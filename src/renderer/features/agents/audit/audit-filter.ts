import { dayMs } from '../agent-time.ts'
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

/** The same for the server; days begin and end in UTC. */
export function auditQuery(filter: AuditListFilter, now: number): AuditQuery {
  const [from, to] = spanOf(filter, now)
  return {
    ...auditFilter.query(filter, ['q', 'agent', 'event', 'trouble']),
    ...(from === null ? {} : { from: new Date(from).toISOString() }),
    ...(to === null ? {} : { to: new Date(to).toISOString() }),
  }
}

/** Where the times that have a name begin and end, in days from the beginning of today. */
const spans = { today: [0, null], yesterday: [-1, 0], '7 days': [-6, null], '30 days': [-29, null] } as const

type Span = readonly [from: number | null, to: number | null]

function spanOf({ time, from, to }: AuditListFilter, now: number): Span {
  if (time === null) return [null, null]
  if (time !== 'range') {
    const today = Math.floor(now / dayMs) * dayMs
    const [first, end] = spans[time]
    return [today + first * dayMs, end === null ? null : today + end * dayMs]
  }
  // In either order.
  const isTurned = from !== null && to !== null && to < from
  const [first, last] = isTurned ? [to, from] : [from, to]
  return [first === null ? null : Date.parse(first), last === null ? null : Date.parse(last) + dayMs]
}
