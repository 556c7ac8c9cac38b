import { maxAgentNameCharacters } from '../../../../shared/contracts/desk-agents-common.ts'
import { dayMs } from '../agent-time.ts'
import { choice, day, flag, named, notJust, searched, viewFilter } from '../../../lib/list/view-filter.ts'
import { texts } from '../agents.texts.ts'

export const auditTimes = ['today', 'yesterday', '7 days', '30 days', 'range'] as const

/** Which audit rows are listed. A `range` includes both of its days, in UTC; without one of them it is open-ended. */
export const auditFilter = viewFilter(
  '/agents/audit',
  {
    q: searched,
    agent: named(maxAgentNameCharacters, notJust('agent')),
    event: named(maxAgentNameCharacters, notJust('event')),
    time: choice(auditTimes, null, () => texts.audit.filters.anyTime),
    from: day,
    to: day,
    trouble: flag(texts.audit.filters.includeMatching),
  },
  (filter) => (filter.time === 'range' ? filter : { ...filter, from: null, to: null }),
)
export type AuditListFilter = typeof auditFilter.defaults
export type AuditQuery = Record<string, string>

/** The query parameters of a filter; days begin and end in UTC. */
export function auditQuery(filter: AuditListFilter, now: number): AuditQuery {
  const [from, to] = spanOf(filter, now)
  return {
    ...auditFilter.query(filter, ['q', 'agent', 'event', 'trouble']),
    ...(from === null ? {} : { from: new Date(from).toISOString() }),
    ...(to === null ? {} : { to: new Date(to).toISOString() }),
  }
}

/** The start and end of each named period, in days from the start of today. */
const spans = { today: [0, null], yesterday: [-1, 0], '7 days': [-6, null], '30 days': [-29, null] } as const

type Span = readonly [from: number | null, to: number | null]

function spanOf({ time, from, to }: AuditListFilter, now: number): Span {
  if (time === null) return [null, null]
  if (time !== 'range') {
    const today = Math.floor(now / dayMs) * dayMs
    const [first, end] = spans[time]
    return [today + first * dayMs, end === null ? null : today + end * dayMs]
  }
  // The two days may be given in either order.
  const isReversed = from !== null && to !== null && to < from
  const [first, last] = isReversed ? [to, from] : [from, to]
  return [first === null ? null : Date.parse(first), last === null ? null : Date.parse(last) + dayMs]
}
