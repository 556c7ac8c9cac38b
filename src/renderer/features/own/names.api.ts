import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { deskNameRoutes } from '../../../shared/contracts/owners.ts'
import type { NewOffer, OfferAnswer, OwnerOffer } from '../../../shared/contracts/owners.ts'
import { deskTrustedPublisherRoutes } from '../../../shared/contracts/trusted-publishers.ts'
import type { NewJobIdentity } from '../../../shared/contracts/trusted-publishers.ts'
import { call } from '../../lib/server/client.ts'
import { useChange } from '../../lib/server/use-change.ts'

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

export function useMakeOffer(name: string, onSuccess: (offer: OwnerOffer) => void) {
  return useChange(
    ['own'],
    (body: NewOffer) => call(deskNameRoutes.offerOwnership, { params: { name }, body }),
    { onSuccess },
  )
}

export function useAnswerOffer(id: number, onSuccess: (answer: OfferAnswer) => void) {
  return useChange(
    ['own'],
    (answer: OfferAnswer) => call(deskNameRoutes.answerOffer, { params: { id }, body: { answer } }),
    { onSuccess: (_reply, answer) => onSuccess(answer) },
  )
}

export function useLeaveName(name: string, onSuccess: () => void) {
  return useChange(['own'], () => call(deskNameRoutes.leaveName, { params: { name } }), { onSuccess })
}

export const publishersQuery = (name: string) =>
  queryOptions({
    queryKey: ['own', 'publishers', name],
    queryFn: ({ signal }) => call(deskTrustedPublisherRoutes.listPublishers, { params: { name }, signal }),
  })

export function useAddPublisher(name: string, onSuccess: () => void) {
  return useChange(
    ['own'],
    (body: NewJobIdentity) => call(deskTrustedPublisherRoutes.addPublisher, { params: { name }, body }),
    { onSuccess },
  )
}

export function useRemovePublisher(name: string, id: number, onSuccess: () => void) {
  return useChange(
    ['own'],
    () => call(deskTrustedPublisherRoutes.removePublisher, { params: { name, id } }),
    {
      onSuccess,
    },
  )
}
