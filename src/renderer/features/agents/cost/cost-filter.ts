import { periodParams, periodQuery, readPeriod } from './period.ts'
import type { ViewPeriod } from './period.ts'
import { pathWith } from '../view-address.ts'

/** What the view of the cost shows; it stands in the address, and the exports have the same. */
export interface CostFilter {
  time: ViewPeriod
  /** Its name; null are all. */
  agent: string | null
  /** What chart and table tell apart. */
  by: 'model' | 'agent'
  /** Only budgets that have passed their mark. */
  marked: boolean
}

export const costPeriods = ['today', '7 days', 'month', 'range'] as const
const usual = 'month'

export function readCostFilter(search: string): CostFilter {
  const params = new URLSearchParams(search)
  return {
    time: readPeriod(search, costPeriods, usual),
    agent: params.get('agent')?.slice(0, 500) ?? null,
    by: params.get('by') === 'agent' ? 'agent' : 'model',
    marked: params.get('marked') === 'true',
  }
}

export function costPath({ time, agent, by, marked }: CostFilter): string {
  return pathWith('/agents/cost', {
    ...periodParams(time, usual),
    agent,
    by: by === 'model' ? null : by,
    marked: marked ? 'true' : null,
  })
}

const agentOnly = ({ agent }: CostFilter) => (agent === null ? {} : { agent })

/** The same for the server: figures and chart; events; budgets. */
export function costQuery(filter: CostFilter) {
  return { ...periodQuery(filter.time), ...agentOnly(filter), by: filter.by }
}

export function eventQuery(filter: CostFilter) {
  return { ...periodQuery(filter.time), ...agentOnly(filter) }
}

export function budgetQuery(filter: CostFilter) {
  return { ...agentOnly(filter), ...(filter.marked ? { marked: 'true' as const } : {}) }
}
