import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DefaultError, QueryKey, UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AgentStamp } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentProject } from '../../../shared/contracts/desk-agents-project.ts'
import { deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import type { JsonRoute } from '../../../shared/route-call.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery } from '../../lib/server/route-query.ts'
import { createStore, useStore } from '../../lib/state/store.ts'

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
) => routeQuery(['agents', route.path, query, ...more], route, { query })

/** When (milliseconds) live updates were paused; null while the views follow the database. */
export const pausedSince = createStore<number | null>(null)

export function togglePause(): void {
  pausedSince.set(pausedSince.get() === null ? Date.now() : null)
}

/** Query options of data that follows the database; while paused, it is only read if it never was. */
export function whileFollowed<Options extends { enabled?: unknown }>(options: Options, paused: boolean) {
  return {
    ...options,
    enabled: (query: { state: { data?: unknown } }) =>
      options.enabled !== false && (!paused || query.state.data === undefined),
  }
}

/** Values of today, or of a period that ends now, also change without a change of the database. */
const refetchInterval = 30_000

/** Reads data that follows the database and the time. */
export function useAgentRead<T, Key extends QueryKey>(
  options: UseQueryOptions<T, DefaultError, T, Key>,
): UseQueryResult<T> {
  return useQuery({ ...whileFollowed(options, useStore(pausedSince) !== null), refetchInterval })
}

export const agentProjectQuery = routeQuery(['agents', 'project'], deskAgentRoutes.getAgentProject)

const pollMs = 2000
/** Data older than this is marked as stale. */
export const staleMs = 5000

/** The selected project, polled: an unchanged database confirms that the views are still current. */
export function useAgentProject() {
  return useQuery({ ...agentProjectQuery, refetchInterval: pollMs })
}

/** Whether the project exists but cannot be read now; the notice above the views says so. */
export const isUnreadable = (project: AgentProject | undefined): boolean =>
  project?.state === 'busy' || project?.state === 'unreadable'

/** Milliseconds; the latest time at which a view is known to match the database. */
export function currentUntil(
  stamp: Pick<AgentStamp, 'readAt' | 'changedAt'>,
  project: Pick<AgentProject, 'readAt' | 'changedAt'> | undefined,
): number {
  const read = Date.parse(stamp.readAt)
  // Nothing has been written since, so the view is as current as the last poll.
  const unchanged = project?.readAt != null && project.changedAt === stamp.changedAt
  return unchanged ? Math.max(read, Date.parse(project.readAt ?? stamp.readAt)) : read
}

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
