import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { deskNameRoutes } from '../../../shared/contracts/owners.ts'
import type { NewOffer, OfferAnswer, OwnerOffer } from '../../../shared/contracts/owners.ts'
import { deskTrustedPublisherRoutes } from '../../../shared/contracts/trusted-publishers.ts'
import type { NewJobIdentity } from '../../../shared/contracts/trusted-publishers.ts'
import { call } from '../../lib/server/client.ts'

export const ownNamesQuery = infiniteQueryOptions({
  queryKey: ['own', 'names'],
  queryFn: ({ pageParam, signal }) =>
    call(deskNameRoutes.listOwnNames, { query: { offset: pageParam }, signal }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const read = pages.reduce((sum, page) => sum + page.items.length, 0)
    return last.items.length > 0 && read < last.total ? read : undefined
  },
})

/**
 * What is on the screen is fetched again, whether the change succeeded or not. `onSuccess` is called even if what was
 * changed has already disappeared from it.
 */
function useNameMutation<Variables, Reply>(
  mutationFn: (variables: Variables) => Promise<Reply>,
  onSuccess: (reply: Reply, variables: Variables) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess,
    onSettled: () => client.invalidateQueries({ queryKey: ['own'] }),
  })
}

export function useMakeOffer(name: string, onSuccess: (offer: OwnerOffer) => void) {
  return useNameMutation(
    (body: NewOffer) => call(deskNameRoutes.offerOwnership, { params: { name }, body }),
    onSuccess,
  )
}

export function useAnswerOffer(id: number, onSuccess: (answer: OfferAnswer) => void) {
  return useNameMutation(
    (answer: OfferAnswer) => call(deskNameRoutes.answerOffer, { params: { id }, body: { answer } }),
    (_reply, answer) => onSuccess(answer),
  )
}

export function useLeaveName(name: string, onSuccess: () => void) {
  return useNameMutation(() => call(deskNameRoutes.leaveName, { params: { name } }), onSuccess)
}

export const publishersQuery = (name: string) =>
  queryOptions({
    queryKey: ['own', 'publishers', name],
    queryFn: ({ signal }) => call(deskTrustedPublisherRoutes.listPublishers, { params: { name }, signal }),
  })

export function useAddPublisher(name: string, onSuccess: () => void) {
  return useNameMutation(
    (body: NewJobIdentity) => call(deskTrustedPublisherRoutes.addPublisher, { params: { name }, body }),
    onSuccess,
  )
}

export function useRemovePublisher(name: string, id: number, onSuccess: () => void) {
  return useNameMutation(
    () => call(deskTrustedPublisherRoutes.removePublisher, { params: { name, id } }),
    onSuccess,
  )
}
