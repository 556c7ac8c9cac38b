import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'

/**
 * A change on the server. The queries below `queryKey` are fetched again even after an error, because someone else may
 * have been first. The callbacks run even if the component that called this has been unmounted.
 */
export function useChange<Input, Reply>(
  queryKey: QueryKey,
  change: (input: Input) => Promise<Reply>,
  callbacks: {
    onSuccess?: (reply: Reply, input: Input) => unknown
    onError?: (error: Error) => void
  } = {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    ...callbacks,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
