import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskLoginRoutes } from '../../../shared/contracts/logins.ts'
import { call } from '../../lib/server/client.ts'

/** Milliseconds between two requests while a login is pending: the terminal may fetch its token at any moment. */
const pollMs = 2000

export const loginQuery = (userCode: string) =>
  queryOptions({
    queryKey: ['logins', userCode],
    queryFn: ({ signal }) => call(deskLoginRoutes.getLogin, { params: { userCode }, signal }),
    // A cached login may have expired or been decided since.
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const isOpen = state.data?.state === 'waiting' || state.data?.state === 'confirmed'
      return isOpen && state.status !== 'error' ? pollMs : false
    },
  })

/** Confirms or denies a login. If it was decided in the meantime, its current state is fetched. */
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
