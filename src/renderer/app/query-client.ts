import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/api-error.ts'

/** Reads are kept until the stream of changes says that they are old; a refusal is not asked for again. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    // The session has ended: the gate asks who is signed in and shows how to come back.
    if (error instanceof ApiError && error.status === 401 && error.code !== 'CODE_INVALID') {
      void client.invalidateQueries({ queryKey: ['session'] })
    }
  }
  const client = new QueryClient({
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
