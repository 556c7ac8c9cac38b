import { useQuery } from '@tanstack/react-query'
import type { DefaultError, QueryKey, UseQueryOptions, UseQueryResult } from '@tanstack/react-query'
import type { AgentProject } from '../../../shared/contracts/desk-agents-project.ts'
import type { AgentStamp } from '../../../shared/contracts/desk-agents-common.ts'
import { createStore, useStore } from '../../lib/state/store.ts'
import { agentProjectQuery } from './agents.api.ts'

/** Since when (milliseconds) the views stand still; null while they follow the database. */
export const pausedSince = createStore<number | null>(null)

export function togglePause(): void {
  pausedSince.set(pausedSince.get() === null ? Date.now() : null)
}

/** Reads for a view: it follows the database, and while that is paused reads only what was never read. */
export function useAgentRead<T, Key extends QueryKey>(
  options: UseQueryOptions<T, DefaultError, T, Key>,
): UseQueryResult<T> {
  return useQuery(whileFollowed(options, useStore(pausedSince) !== null))
}

/** The same for `useQueries`. */
export function whileFollowed<Options extends { enabled?: unknown }>(options: Options, paused: boolean) {
  return {
    ...options,
    enabled: (query: { state: { data?: unknown } }) =>
      options.enabled !== false && (!paused || query.state.data === undefined),
  }
}

const lookMs = 2000
/** From this age on an answer is called late. */
export const lateMs = 5000

/** The chosen project, looked at again and again: its look is what makes an unchanged view fresh. */
export function useAgentProject() {
  return useQuery({ ...agentProjectQuery, refetchInterval: lookMs })
}

/** Whether the project is there but nothing can be read from it now, which the notice above all views says. */
export const isUnreadable = (project: AgentProject | undefined): boolean =>
  project?.state === 'busy' || project?.state === 'unreadable'

/** Milliseconds; until when a view is known to be as the database is. */
export function trueUntil(
  stamp: Pick<AgentStamp, 'readAt' | 'changedAt'>,
  project: { readAt: string | null; changedAt: string | null } | undefined,
): number {
  const read = Date.parse(stamp.readAt)
  // Nothing has been written since it was read: then it is as new as the last look at the file.
  const unchanged = project?.readAt != null && project.changedAt === stamp.changedAt
  return unchanged ? Math.max(read, Date.parse(project.readAt ?? stamp.readAt)) : read
}
