import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AgentProject } from '../../../shared/contracts/desk-agents-project.ts'
import { deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import type { JsonRoute } from '../../../shared/route-call.ts'
import { call } from '../../lib/server/client.ts'
import { agentFilter } from './agents/agent-filter.ts'
import type { AgentListFilter } from './agents/agent-filter.ts'
import type { AuditQuery } from './audit/audit-filter.ts'
import { brokerQuery } from './broker/broker-filter.ts'
import type { BrokerFilter } from './broker/broker-filter.ts'
import { costQuery, eventQuery } from './cost/cost-filter.ts'
import type { CostFilter } from './cost/cost-filter.ts'

type ReadRoute<Answer extends z.ZodType> = JsonRoute<undefined, z.ZodObject | undefined, undefined, Answer>
type ReadQuery = Record<string, string | number | undefined>

/**
 * What a route answers to a query; `more` tells one answer from another of the same query. Every read of agents begins with
 * `agents`: one topic of the stream of changes makes all of them old.
 */
export const agentRead = <Answer extends z.ZodType>(
  route: ReadRoute<Answer>,
  query: ReadQuery = {},
  ...more: readonly unknown[]
) =>
  queryOptions({
    queryKey: ['agents', route.path, query, ...more],
    queryFn: ({ signal }) => call(route, { query, signal }),
  })

export const agentProjectQuery = queryOptions({
  queryKey: ['agents', 'project'],
  queryFn: ({ signal }) => call(deskAgentRoutes.getAgentProject, { signal }),
})

/** What is told of today, or of the last minutes, changes with the time alone. */
const eachMinute = { refetchInterval: 60_000 }

export const agentOverviewQuery = { ...agentRead(deskAgentRoutes.getAgentOverview), ...eachMinute }

export const supervisorsQuery = { ...agentRead(deskAgentRoutes.listDeskSupervisors), ...eachMinute }

export const agentQuery = (name: string) => ({
  ...agentRead(deskAgentRoutes.getDeskAgent, { name }),
  ...eachMinute,
})

export const restartsQuery = (id: string) => ({
  ...agentRead(deskAgentRoutes.getSupervisorRestarts, { id }),
  ...eachMinute,
})

/** The first agents of a filter. */
export const firstAgentsQuery = (filter: Partial<AgentListFilter>) =>
  agentRead(deskAgentRoutes.listDeskAgents, agentFilter.query(filter))

/** Times that are counted from now move on although nothing is written. */
const asTimeMoves = { refetchInterval: 30_000 }

export const agentCostQuery = (filter: CostFilter) =>
  queryOptions({
    ...agentRead(deskAgentRoutes.getAgentCost, costQuery(filter), eventQuery(filter)),
    ...asTimeMoves,
    // The figures stay while the chart is told apart in another way; those of another time do not.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[3]) === JSON.stringify(eventQuery(filter)) ? before : undefined,
  })

export const agentBrokerQuery = (filter: BrokerFilter) => ({
  ...agentRead(deskAgentRoutes.getAgentBroker, brokerQuery(filter)),
  ...asTimeMoves,
})

/** Audit rows of a filter from a place on; another `round` is another look, which begins with what is there then. */
export const auditQueryAt = (query: AuditQuery, place: ReadQuery, round = 0) =>
  agentRead(deskAgentRoutes.listAudit, { ...query, ...place }, round)

export const readAudit = (query: AuditQuery, place: ReadQuery, signal: AbortSignal) =>
  call(deskAgentRoutes.listAudit, { query: { ...query, ...place }, signal })

export const auditFacetsQuery = agentRead(deskAgentRoutes.getAuditFacets)

/** After it another project is shown: nothing that was read before counts. */
function useTakeProject(): (project: AgentProject) => Promise<void> {
  const client = useQueryClient()
  return async (project) => {
    await client.cancelQueries({ queryKey: ['agents'] })
    client.setQueryData(agentProjectQuery.queryKey, project)
    await client.resetQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'agents' && queryKey[1] !== 'project',
    })
    await client.invalidateQueries({ queryKey: ['settings'] })
  }
}

export function useChooseProject() {
  const take = useTakeProject()
  return useMutation({
    mutationFn: (folder: string | null) => call(deskAgentRoutes.chooseAgentProject, { body: { folder } }),
    onSuccess: take,
  })
}

export function useRetryProject() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(deskAgentRoutes.retryAgentProject, {}),
    onSettled: () => client.invalidateQueries({ queryKey: ['agents'] }),
  })
}

export function useForgetProject() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (folder: string) => call(deskAgentRoutes.forgetAgentProject, { body: { folder } }),
    onSuccess: (project) => client.setQueryData(agentProjectQuery.queryKey, project),
  })
}

export function useMarkAlertSeen() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deskAgentRoutes.markAlertSeen, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['agents'] }),
  })
}
