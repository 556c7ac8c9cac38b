import type { AgentAnswer } from '../../../shared/contracts/desk-agents.ts'
import { eventsOf } from './audit-rows.ts'
import { stateCounts } from './desk-agents.ts'
import { summaryOf } from './desk-audit.ts'
import { RouteGroup, routesOf } from './desk-broker.ts'
import { viewQuery } from './desk-query.ts'
import type { QueryContext } from './desk-query.ts'
import { paceOf, spendIn, sumOf, toSpend } from './spend.ts'
import { dayMs, spanOf } from './times.ts'

type Overview = AgentAnswer<'getAgentOverview'>

const newestEvents = 'SELECT key FROM audit ORDER BY key DESC LIMIT 10'

export const getAgentOverview = viewQuery<'getAgentOverview'>({
  needs: ['agents', 'costs', 'routes', 'audit'],
  compute(context) {
    const { mirror } = context
    const { agents, audit } = mirror.tables
    return {
      // The server adds the alerts.
      alerts: [],
      alertsTotal: 0,
      agents: agents.exists ? { total: agents.rows, counts: stateCounts(mirror) } : null,
      ...spendOf(context),
      audit: audit.exists ? summaryOf(context) : null,
      broker: brokerPart(context),
      events: eventsOf(context, mirror.list<number>(newestEvents)),
    }
  },
})

function spendOf({ mirror, now }: QueryContext): Pick<Overview, 'spent' | 'chart'> {
  if (!mirror.isKnown('costs')) return { spent: null, chart: null }
  const today = { ...spanOf({ period: 'today' }, now), agent: null }
  const { spent, expected, chart } = spendIn(mirror, today, 'model', paceOf(mirror, null, now), now)
  const yesterday = toSpend(sumOf(mirror, { from: today.from - dayMs, to: today.from, agent: null }))
  return { spent: { today: spent, yesterday, expected }, chart }
}

function brokerPart({ mirror, now }: QueryContext): Overview['broker'] {
  if (!mirror.isKnown('routes')) return null
  const together = new RouteGroup()
  for (const route of routesOf(mirror, spanOf({ period: 'hour' }, now))) together.add(route)
  return { together: together.toSum(), ...together.types }
}
