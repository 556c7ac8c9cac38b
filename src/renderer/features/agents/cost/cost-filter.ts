import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { choice, flag, named, viewFilter } from '../../../lib/list/view-filter.ts'
import { daysOfRange, periodFields } from './period.ts'

export const costPeriods: readonly AgentPeriod[] = ['today', '7 days', 'month', 'range']

/** What the view of the cost shows: a period, one agent or all, the grouping of calls, and whether only budgets past their alert mark. */
export const costFilter = viewFilter(
  '/agents/cost',
  {
    ...periodFields(costPeriods, 'month'),
    agent: named(500),
    by: choice(['model', 'agent'], 'model'),
    marked: flag(),
  },
  daysOfRange,
)
export type CostFilter = typeof costFilter.usual

const events = ['period', 'from', 'to', 'agent'] as const

/** What the server is asked for: figures and chart; calls; budgets. */
export const costQuery = (filter: CostFilter) => costFilter.query(filter, [...events, 'by'])
export const eventQuery = (filter: CostFilter) => costFilter.query(filter, events)
export const budgetQuery = (filter: CostFilter) => costFilter.query(filter, ['agent', 'marked'])
