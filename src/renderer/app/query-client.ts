import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { InvalidateOptions, InvalidateQueryFilters, QueryKey } from '@tanstack/react-query'
import { ApiError } from '../lib/server/api-error.ts'

class DeskQueryClient extends QueryClient {
  /**
   * What was asked for before a change may be answered without it, and then passes for new. The library asks anew
   * only for what is on the screen and has been answered before: here for all that is on its way.
   */
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const { refetchType: _, ...which } = filters ?? {}
    for (const query of this.getQueryCache().findAll({ ...which, fetchStatus: 'fetching' })) {
      if (query.isActive() && query.state.data !== undefined) continue
      void query.cancel({ silent: true })
      // Whoever waits is told what came of it.
      query.fetch().catch(() => {})
    }
    return super.invalidateQueries(filters, options)
  }
}

/** Reads are kept until the stream of changes says that they are old; a refusal is not asked for again. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    // The session has ended: the gate asks who is signed in and shows how to come back.
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
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && (error.status === null || error.status >= 500),
        retryDelay: (attempt) => 500 * 2 ** attempt,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
