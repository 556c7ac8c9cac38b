import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import type { JsonRoute } from '../../../shared/route-call.ts'
import { call } from '../../lib/server/client.ts'

type ReadRoute<Answer extends z.ZodType> = JsonRoute<undefined, z.ZodObject | undefined, undefined, Answer>
type ReadQuery = Record<string, string | number | undefined>

/**
 * Reads a route; `more` distinguishes reads of the same query. All keys begin with `agents`, so that one topic of the event
 * stream invalidates every read of the area.
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

/** For values that change with time alone, such as those of today or of a period that ends now. */
export const asTimeMoves = <Options extends object>(options: Options) => ({
  ...options,
  refetchInterval: 30_000,
})

/** Changes something on the server, then reads the area's data again. */
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

export const useAcknowledgeAlert = () =>
  useAgentChange((id: number) => call(deskAgentRoutes.markAlertSeen, { params: { id } }))

/** Shows another project, and discards what was read of the previous one. */
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
