import { deskNameRoutes } from '../../../shared/contracts/owners.ts'
import type { OfferAnswer, OwnerOffer } from '../../../shared/contracts/owners.ts'
import { deskTrustedPublisherRoutes } from '../../../shared/contracts/trusted-publishers.ts'
import { call } from '../../lib/server/client.ts'
import { offsetQuery, routeQuery, withBody } from '../../lib/server/route-query.ts'
import { useChange } from '../../lib/server/use-change.ts'

export const ownNamesQuery = offsetQuery(['own', 'names'], deskNameRoutes.listOwnNames)

export const useMakeOffer = (name: string, onSuccess: (offer: OwnerOffer) => void) =>
  useChange(['own'], withBody(deskNameRoutes.offerOwnership, { name }), { onSuccess })

export const useAnswerOffer = (id: number, onSuccess: (answer: OfferAnswer) => void) =>
  useChange(['own'], withBody(deskNameRoutes.answerOffer, { id }), {
    onSuccess: (_reply, { answer }) => onSuccess(answer),
  })

export const useLeaveName = (name: string, onSuccess: () => void) =>
  useChange(['own'], () => call(deskNameRoutes.leaveName, { params: { name } }), { onSuccess })

export const publishersQuery = (name: string) =>
  routeQuery(['own', 'publishers', name], deskTrustedPublisherRoutes.listPublishers, { params: { name } })

export const useAddPublisher = (name: string, onSuccess: () => void) =>
  useChange(['own'], withBody(deskTrustedPublisherRoutes.addPublisher, { name }), { onSuccess })

export const useRemovePublisher = (name: string, id: number, onSuccess: () => void) =>
  useChange(['own'], () => call(deskTrustedPublisherRoutes.removePublisher, { params: { name, id } }), {
    onSuccess,
  })
