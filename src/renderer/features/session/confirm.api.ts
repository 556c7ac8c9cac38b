import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskLoginRoutes } from '../../../shared/contracts/logins.ts'
import { call } from '../../lib/server/client.ts'

/** Milliseconds between two looks at a login that is not over: the terminal may pick its token up at any moment. */
const lookMs = 2000

export const loginQuery = (userCode: string) =>
  queryOptions({
    queryKey: ['logins', userCode],
    queryFn: ({ signal }) => call(deskLoginRoutes.getLogin, { params: { userCode }, signal }),
    // Also one that was looked at before: what was read then may be over.
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const isOpen = state.data?.state === 'waiting' || state.data?.state === 'confirmed'
      return isOpen && state.status !== 'error' ? lookMs : false
    },
  })

/** Confirms or refuses. What has become of the login meanwhile is read again where that is too late. */
export function useDecideLogin(userCode: string, decision: 'confirmLogin' | 'refuseLogin') {
  const client = useQueryClient()
  const { queryKey } = loginQuery(userCode)
  return useMutation({
    mutationFn: async () => {
      await client.cancelQueries({ queryKey })
      return call(deskLoginRoutes[decision], { params: { userCode } })
    },
    onSuccess: (login) => client.setQueryData(queryKey, login),
    onError: () => client.invalidateQueries({ queryKey }),
  })
}
