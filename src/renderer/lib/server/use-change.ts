import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'

/**
 * A change on the server. The queries below `queryKey` are fetched again even after an error, because someone else may
 * have been first. The callbacks run even if the component that called this has been unmounted. Changes of the same
 * `scope` run one after another: sent at the same time, they could arrive in any order.
 */
export function useChange<Input, Reply>(
  queryKey: QueryKey,
  change: (input: Input) => Promise<Reply>,
  {
    scope,
    ...callbacks
  }: {
    scope?: string
    onSuccess?: (reply: Reply, input: Input) => unknown
    onError?: (error: Error) => void
  } = {},
) {
  const client = useQueryClient()
  return useMutation({
    ...(scope !== undefined && { scope: { id: scope } }),
    mutationFn: change,
    ...callbacks,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
