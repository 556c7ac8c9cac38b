import { pathWith } from '../view-address.ts'

export const auditTimes = ['today', 'yesterday', '7 days', '30 days', 'range'] as const
export type AuditTime = (typeof auditTimes)[number]

/** Which audit rows are listed; it stands in the address, and the exports have the same. */
export interface AuditListFilter {
  q: string
  agent: string | null
  event: string | null
  /** Null: of any time. `range` has days in UTC, both included; a missing one leaves its end open. */
  time: AuditTime | null
  from: string | null
  to: string | null
  trouble: boolean
}

export const wholeAudit: AuditListFilter = {
  q: '',
  agent: null,
  event: null,
  time: null,
  from: null,
  to: null,
  trouble: false,
}

export function readAuditFilter(search: string): AuditListFilter {
  const params = new URLSearchParams(search)
  const time = auditTimes.find((one) => one === params.get('time')) ?? null
  return {
    q: (params.get('q') ?? '').slice(0, 100),
    agent: params.get('agent')?.slice(0, 500) ?? null,
    event: params.get('event')?.slice(0, 500) ?? null,
    time,
    from: time === 'range' ? readDay(params.get('from')) : null,
    to: time === 'range' ? readDay(params.get('to')) : null,
    trouble: params.get('trouble') === 'true',
  }
}

function readDay(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

/** What is usual is left out. */
export function auditPath(filter: AuditListFilter): string {
  return pathWith('/agents/audit', { ...filter, trouble: filter.trouble ? 'true' : null })
}

const dayMs = 86_400_000

/** The same for the server; days begin and end in UTC. */
export function auditQuery(filter: AuditListFilter, now: number) {
  const { q, agent, event, trouble } = filter
  const { from, to } = spanOf(filter, now)
  return {
    ...(q === '' ? {} : { q }),
    ...(agent === null ? {} : { agent }),
    ...(event === null ? {} : { event }),
    ...(from === null ? {} : { from: new Date(from).toISOString() }),
    ...(to === null ? {} : { to: new Date(to).toISOString() }),
    ...(trouble ? { trouble: 'true' } : {}),
  }
}

export type AuditQuery = ReturnType<typeof auditQuery>

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
      const days = [from, to].map((day) => (day === null ? null : Date.parse(day)))
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

/** Whether it leaves out any row. */
export function isAuditNarrowed(filter: AuditListFilter): boolean {
  return auditPath(filter) !== auditPath(wholeAudit)
}
