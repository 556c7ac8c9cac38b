import { queryOptions } from '@tanstack/react-query'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { call } from '../../../lib/server/client.ts'
import { brokerQuery } from '../broker/broker-filter.ts'
import type { BrokerFilter } from '../broker/broker-filter.ts'
import { costQuery, eventQuery } from './cost-filter.ts'
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
