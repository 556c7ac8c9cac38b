import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
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

export const brokerPeriods: readonly AgentPeriod[] = ['hour', 'today', '7 days', '30 days', 'range']

/** What the view of the broker shows; type and handler choose among the decisions. */
export const brokerFilter = viewFilter(
  '/agents/broker',
  { ...periodFields(brokerPeriods, 'today'), type: choice(handlerTypes, null), handler: named(500) },
  daysOfRange,
)
export type BrokerFilter = typeof brokerFilter.usual

/** What the server is asked for: figures and charts. All of the filter is for decisions. */
export const brokerQuery = (filter: BrokerFilter) => brokerFilter.query(filter, ['period', 'from', 'to'])
