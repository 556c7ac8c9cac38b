import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import { choice, flag, named, viewFilter } from '../../../lib/list/view-filter.ts'
import { daysOfRange, periodFields } from './period.ts'

export const costPeriods: readonly AgentPeriod[] = ['today', '7 days', 'month', 'range']

/** The filter of the cost view: a period, one agent or all, the grouping of calls, and whether to list only budgets over their alert threshold. */
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
export type CostFilter = typeof costFilter.defaults

const events = ['period', 'from', 'to', 'agent'] as const

/** Query parameters of the figures and the chart, of the calls, and of the budgets. */
export const costQuery = (filter: CostFilter) => costFilter.query(filter, [...events, 'by'])
export const eventQuery = (filter: CostFilter) => costFilter.query(filter, events)
export const budgetQuery = (filter: CostFilter) => costFilter.query(filter, ['agent', 'marked'])

export const brokerPeriods: readonly AgentPeriod[] = ['hour', 'today', '7 days', '30 days', 'range']

/** The filter of the broker view; type and handler only filter the decisions. */
export const brokerFilter = viewFilter(
  '/agents/broker',
  { ...periodFields(brokerPeriods, 'today'), type: choice(handlerTypes, null), handler: named(500) },
  daysOfRange,
)
export type BrokerFilter = typeof brokerFilter.defaults

/** Query parameters of the figures and charts; the decisions use the whole filter. */
export const brokerQuery = (filter: BrokerFilter) => brokerFilter.query(filter, ['period', 'from', 'to'])
