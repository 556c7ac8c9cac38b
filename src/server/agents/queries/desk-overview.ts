import type { AgentAnswer } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { eventsOf } from './audit-rows.ts'
import { stateCounts } from './desk-agents.ts'
import { summaryOf } from './desk-audit.ts'
import { RouteGroup, routesOf } from './desk-broker.ts'
import { viewQuery } from './desk-query.ts'
import { spendParts, sumOf, toSpend } from './spend.ts'
import { dayMs, spanOf, startOfDay } from './times.ts'

type Overview = AgentAnswer<'getAgentOverview'>

const newestEvents = 'SELECT key FROM audit ORDER BY key DESC LIMIT 10'

export const getAgentOverview = viewQuery<'getAgentOverview'>({
  needs: ['agents', 'costs', 'routes', 'audit'],
  compute({ mirror, database, now }) {
    const { agents, audit } = mirror.tables
    return {
      // The server adds the alerts.
      alerts: [],
      alertsTotal: 0,
      agents: agents.exists ? { total: agents.rows, counts: stateCounts(mirror) } : null,
      ...spendOf(mirror, now),
      audit: audit.exists ? summaryOf(mirror, now) : null,
      broker: brokerPart(mirror, now),
      events: eventsOf(mirror, database, mirror.list<number>(newestEvents)),
    }
  },
})

function spendOf(mirror: Mirror, now: number): Pick<Overview, 'spent' | 'chart'> {
  if (!mirror.isKnown('costs')) return { spent: null, chart: null }
  const { today, expected, chart } = spendParts(mirror, null, true, 'today', now)
  const midnight = startOfDay(now)
  const yesterday = toSpend(sumOf(mirror, { from: midnight - dayMs, to: midnight, agent: null }))
  return { spent: { today, yesterday, expected }, chart }
}

function brokerPart(mirror: Mirror, now: number): Overview['broker'] {
  if (!mirror.isKnown('routes')) return null
  const together = new RouteGroup()
  for (const route of routesOf(mirror, spanOf({ period: 'hour' }, now))) together.add(route)
  return { together: together.toSum(), ...together.types }
}
