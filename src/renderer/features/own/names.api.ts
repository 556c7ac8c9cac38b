import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskNameRoutes } from '../../../shared/contracts/owners.ts'
import type { NewOffer, OfferAnswer } from '../../../shared/contracts/owners.ts'
import { call } from '../../lib/server/client.ts'

export const ownNamesQuery = infiniteQueryOptions({
  queryKey: ['own', 'names'],
  queryFn: ({ pageParam, signal }) =>
    call(deskNameRoutes.listDeskNames, { query: { offset: pageParam }, signal }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const read = pages.reduce((sum, page) => sum + page.items.length, 0)
    return last.items.length > 0 && read < last.total ? read : undefined
  },
})

/** What is on the screen is fetched again, whether the change succeeded or not. */
function useNameMutation<Variables, Reply>(mutationFn: (variables: Variables) => Promise<Reply>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['own'] }) })
}

export function useMakeOffer(name: string) {
  return useNameMutation((body: NewOffer) => call(deskNameRoutes.offerDeskName, { params: { name }, body }))
}

export function useAnswerOffer() {
  return useNameMutation(({ id, answer }: { id: number; answer: OfferAnswer }) =>
    call(deskNameRoutes.answerDeskOffer, { params: { id }, body: { answer } }),
  )
}

export function useLeaveName(name: string) {
  return useNameMutation(() => call(deskNameRoutes.leaveDeskName, { params: { name } }))
}
