import { MutationCache, QueryCache, QueryClient, notifyManager } from '@tanstack/react-query'
import type { InvalidateOptions, InvalidateQueryFilters, QueryKey } from '@tanstack/react-query'
import { ApiError, isUnanswered } from '../lib/server/api-error.ts'

// By default, components learn of a change by a timer. On a busy machine, key presses and clicks come before it, and would
// be handled by components that do not yet know that a request has been sent.
notifyManager.setScheduler(queueMicrotask)

class DeskQueryClient extends QueryClient {
  /**
   * A read that started before a change may return data without it, which would then count as fresh. The library
   * repeats only reads that are on the screen and have data already; this repeats every read in progress.
   */
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const { refetchType: _, ...which } = filters ?? {}
    for (const query of this.getQueryCache().findAll({ ...which, fetchStatus: 'fetching' })) {
      if (query.isActive() && query.state.data !== undefined) continue
      void query.cancel({ silent: true })
      // Callers that are waiting get the result or the error of the repeated read.
      query.fetch().catch(() => {})
    }
    return super.invalidateQueries(filters, options)
  }
}

/** Queries are cached until the event stream invalidates them; a request that the server refused is not retried. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    // The session has ended: `Gate` reads who is signed in and shows how to sign in again.
    if (error instanceof ApiError && error.status === 401 && error.code !== 'CODE_INVALID') {
      void client.invalidateQueries({ queryKey: ['session'] })
    }
  }
  const client = new DeskQueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && error instanceof ApiError && isUnanswered(error),
        retryDelay: (attempt) => 500 * 2 ** attempt,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
