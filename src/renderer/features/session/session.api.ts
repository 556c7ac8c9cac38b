import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deskSessionRoutes } from '../../../shared/contracts/desk-session.ts'
import { ApiError } from '../../lib/server/api-error.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery } from '../../lib/server/route-query.ts'
import { setSessionKey } from '../../lib/server/session-key.ts'

export const deskStateQuery = routeQuery(['session', 'state'], deskSessionRoutes.getDeskState)

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(deskSessionRoutes.signOut),
    // Also if it fails because the session has ended: the gate then fetches who is signed in.
    onSettled: async (_, error) => {
      if (error === null || (error instanceof ApiError && error.code === 'SESSION_MISSING'))
        setSessionKey(null)
      await client.invalidateQueries({ queryKey: ['session'] })
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    },
  })
}
