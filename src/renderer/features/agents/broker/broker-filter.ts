import type { AgentPeriod } from '../../../../shared/contracts/desk-agents-common.ts'
import { handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import { daysOfRange, periodFields } from '../cost/period.ts'
import { choice, named, viewFilter } from '../../../lib/list/view-filter.ts'

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
