import { useQuery } from '@tanstack/react-query'
import type { DefaultError, QueryKey, UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import type { AgentProject } from '../../../shared/contracts/desk-agents-project.ts'
import type { AgentStamp } from '../../../shared/contracts/desk-agents-common.ts'
import { createStore, useStore } from '../../lib/state/store.ts'
import { agentProjectQuery } from './agents.api.ts'

/** When (milliseconds) live updates were paused; null while the views follow the database. */
export const pausedSince = createStore<number | null>(null)

export function togglePause(): void {
  pausedSince.set(pausedSince.get() === null ? Date.now() : null)
}

/** Reads data that follows the database; while paused, it is only read if it never was. */
export function useAgentRead<T, Key extends QueryKey>(
  options: UseQueryOptions<T, DefaultError, T, Key>,
): UseQueryResult<T> {
  return useQuery(whileFollowed(options, useStore(pausedSince) !== null))
}

/** The same as query options, for `useQueries`. */
export function whileFollowed<Options extends { enabled?: unknown }>(options: Options, paused: boolean) {
  return {
    ...options,
    enabled: (query: { state: { data?: unknown } }) =>
      options.enabled !== false && (!paused || query.state.data === undefined),
  }
}

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
  project: { readAt: string | null; changedAt: string | null } | undefined,
): number {
  const read = Date.parse(stamp.readAt)
  // Nothing has been written since, so the view is as current as the last poll.
  const unchanged = project?.readAt != null && project.changedAt === stamp.changedAt
  return unchanged ? Math.max(read, Date.parse(project.readAt ?? stamp.readAt)) : read
}
