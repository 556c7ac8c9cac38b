import type { AgentOverview } from '../../../shared/contracts/desk-agents.ts'
import { handlerTypes } from '../../../shared/contracts/desk-agents-tables.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { summaryOf } from '../memory/audit-view.ts'
import { deskQuery } from '../memory/desk-query.ts'
import { lastKeys } from '../memory/newest-rows.ts'
import { RouteGroup, eachRoute } from '../memory/route-sums.ts'
import { chartOf, groupsOf } from '../memory/spend-chart.ts'
import { expectedOf, paceOf, spendOf } from '../memory/spend.ts'
import { dayMs, spanOf, startOfDay } from '../memory/times.ts'
import { countStates } from './desk-agents.ts'
import { eventsOf } from './desk-restarts.ts'

/** Without the alerts, which the services keep. */
export type OverviewValue = Omit<AgentOverview, 'stamp' | 'alerts' | 'alertsTotal'>

const eventsShown = 10

export const deskOverview = deskQuery<null, OverviewValue>({
  needs: ['agents', 'costs', 'routes', 'audit'],
  compute({ memory, database, now }) {
    const { agents, audit } = memory
    return {
      agents: agents.isThere ? { total: agents.rows.length, counts: countStates(agents.rows) } : null,
      ...spendParts(memory, now),
      audit: audit.tape.isThere ? summaryOf(memory, now) : null,
      broker: brokerPart(memory, now),
      events: eventsOf(memory, database, lastKeys(memory, eventsShown)),
    }
  },
  empty: () => ({ agents: null, spent: null, audit: null, broker: null, chart: null, events: [] }),
})

function spendParts(memory: AgentsMemory, now: number): Pick<OverviewValue, 'spent' | 'chart'> {
  const { costs } = memory
  if (!costs.tape.isComplete || !costs.tape.isThere) return { spent: null, chart: null }
  const midnight = startOfDay(now)
  const filter = { ...spanOf({ period: 'today' }, now), agent: null }
  const today = spendOf(costs, filter)
  const pace = paceOf(costs, null, now)
  return {
    spent: {
      today,
      yesterday: spendOf(costs, { from: midnight - dayMs, to: midnight, agent: null }),
      expected: expectedOf(pace, today, now, midnight + dayMs),
    },
    chart: chartOf({ costs, filter, by: 'model', groups: groupsOf(costs, filter, 'model'), pace, now }),
  }
}

function brokerPart(memory: AgentsMemory, now: number): OverviewValue['broker'] {
  const { routes } = memory
  if (!routes.tape.isComplete || !routes.tape.isThere) return null
  const together = new RouteGroup()
  const types = handlerTypes.map(() => 0)
  eachRoute(routes, spanOf({ period: 'hour' }, now), (cells, index) => {
    together.add(cells, index)
    const type = cells.type[index] ?? 0
    types[type] = (types[type] ?? 0) + 1
  })
  const [skill = 0, wasm = 0, llm = 0, other = 0] = types
  return { together: together.toSum(), skill, wasm, llm, other }
}
