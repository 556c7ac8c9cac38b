import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import type { JsonRoute } from '../../../shared/route-call.ts'
import { call } from '../../lib/server/client.ts'

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
const eachMinute = <Options extends object>(options: Options) => ({ ...options, refetchInterval: 60_000 })

/** Times that are counted from now move on although nothing is written. */
export const asTimeMoves = <Options extends object>(options: Options) => ({
  ...options,
  refetchInterval: 30_000,
})

export const agentOverviewQuery = eachMinute(agentRead(deskAgentRoutes.getAgentOverview))
export const supervisorsQuery = eachMinute(agentRead(deskAgentRoutes.listDeskSupervisors))
export const agentQuery = (name: string) => eachMinute(agentRead(deskAgentRoutes.getDeskAgent, { name }))
export const restartsQuery = (id: string) =>
  eachMinute(agentRead(deskAgentRoutes.getSupervisorRestarts, { id }))

/** Changes something on the server; then all that was read of agents is read again. */
function useAgentChange<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: ['agents'] }),
  })
}

export const useRetryProject = () => useAgentChange<void>(() => call(deskAgentRoutes.retryAgentProject, {}))

export const useForgetProject = () =>
  useAgentChange((folder: string) => call(deskAgentRoutes.forgetAgentProject, { body: { folder } }))

export const useMarkAlertSeen = () =>
  useAgentChange((id: number) => call(deskAgentRoutes.markAlertSeen, { params: { id } }))

/** After it another project is shown: nothing that was read before counts. */
export function useChooseProject() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (folder: string | null) => call(deskAgentRoutes.chooseAgentProject, { body: { folder } }),
    async onSuccess(project) {
      await client.cancelQueries({ queryKey: ['agents'] })
      client.setQueryData(agentProjectQuery.queryKey, project)
      await client.resetQueries({
        predicate: ({ queryKey }) => queryKey[0] === 'agents' && queryKey[1] !== 'project',
      })
      await client.invalidateQueries({ queryKey: ['settings'] })
    },
  })
}
