import { queryOptions } from '@tanstack/react-query'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { call } from '../../../lib/server/client.ts'
import { brokerQuery, routeQuery } from '../broker/broker-filter.ts'
import type { BrokerFilter } from '../broker/broker-filter.ts'
import { budgetQuery, costQuery, eventQuery } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'

/** Times that are counted from now move on although nothing is written. */
const timeMovesMs = 30_000

export const agentCostQuery = (filter: CostFilter) =>
  queryOptions({
    queryKey: ['agents', 'cost', eventQuery(filter), filter.by],
    queryFn: ({ signal }) => call(deskAgentRoutes.getAgentCost, { query: costQuery(filter), signal }),
    refetchInterval: timeMovesMs,
    // The figures stay while the chart is told apart in another way; those of another time do not.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[2]) === JSON.stringify(eventQuery(filter)) ? before : undefined,
  })

export const agentBrokerQuery = (filter: BrokerFilter) =>
  queryOptions({
    queryKey: ['agents', 'broker', brokerQuery(filter)],
    queryFn: ({ signal }) => call(deskAgentRoutes.getAgentBroker, { query: brokerQuery(filter), signal }),
    refetchInterval: timeMovesMs,
  })

export const readBudgets = (filter: CostFilter, offset: number, signal: AbortSignal) =>
  call(deskAgentRoutes.listAgentBudgets, { query: { ...budgetQuery(filter), offset }, signal })

export const readCostEvents = (filter: CostFilter, offset: number, signal: AbortSignal) =>
  call(deskAgentRoutes.listCostEvents, { query: { ...eventQuery(filter), offset }, signal })

export const readRoutes = (filter: BrokerFilter, offset: number, signal: AbortSignal) =>
  call(deskAgentRoutes.listBrokerRoutes, { query: { ...routeQuery(filter), offset }, signal })
