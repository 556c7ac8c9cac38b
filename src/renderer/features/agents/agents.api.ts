import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AgentProject } from '../../../shared/contracts/desk-agents-project.ts'
import { deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import { call } from '../../lib/server/client.ts'
import { agentFilter } from './agents/agent-filter.ts'
import type { AgentListFilter } from './agents/agent-filter.ts'

// Every read of agents begins with `agents`: one topic of the stream of changes makes all of them old.

export const agentProjectQuery = queryOptions({
  queryKey: ['agents', 'project'],
  queryFn: ({ signal }) => call(deskAgentRoutes.getAgentProject, { signal }),
})

/** What is told of today, or of the last minutes, changes with the time alone. */
const refetchInterval = 60_000

export const agentOverviewQuery = queryOptions({
  queryKey: ['agents', 'overview'],
  refetchInterval,
  queryFn: ({ signal }) => call(deskAgentRoutes.getAgentOverview, { signal }),
})

/** The first agents of a filter. */
export const firstAgentsQuery = (filter: Partial<AgentListFilter>) => {
  const query = agentFilter.query(filter)
  return queryOptions({
    queryKey: ['agents', 'first', query],
    queryFn: ({ signal }) => call(deskAgentRoutes.listDeskAgents, { query, signal }),
  })
}

export const agentQuery = (name: string) =>
  queryOptions({
    queryKey: ['agents', 'agent', name],
    refetchInterval,
    queryFn: ({ signal }) => call(deskAgentRoutes.getDeskAgent, { query: { name }, signal }),
  })

export const supervisorsQuery = queryOptions({
  queryKey: ['agents', 'supervisors'],
  refetchInterval,
  queryFn: ({ signal }) => call(deskAgentRoutes.listDeskSupervisors, { signal }),
})

export const restartsQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'restarts', id],
    refetchInterval,
    queryFn: ({ signal }) => call(deskAgentRoutes.getSupervisorRestarts, { query: { id }, signal }),
  })

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
