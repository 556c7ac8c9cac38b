import { z } from 'zod'
import { inDesk, json, paged, reply, route, section } from '../route.ts'
import { pageQuerySchema, successSchema } from './common.ts'
import { idParamsSchema, instantSchema } from './desk-common.ts'
import { nameParams, pageSize, releaseStatuses } from './releases.ts'
import { requiredText } from './text-schemas.ts'

// Owners of names, and offers of ownership (rulings, "Own endpoints"): on the registry under /api/skilldock for tokens,
// and on the desk's listener under /desk/api for sessions.

/** Owners of one name. */
export const maxOwners = 20
/** Offers that one person may make in any 24 hours, including ended ones. */
export const dailyOffers = 50
/** Days after which an offer expires. */
export const offerDays = 7

export const namedPersonSchema = z.strictObject({
  id: z.int(),
  /** The display name; `Developer N` without one. */
  publisher: z.string(),
})

const ownerSchema = z.strictObject({ ...namedPersonSchema.shape, since: instantSchema }).meta({ id: 'Owner' })
export type Owner = z.infer<typeof ownerSchema>

export const offerKinds = ['co-owner', 'transfer'] as const
export type OfferKind = (typeof offerKinds)[number]
/** Only the person it is made to can accept or decline; any owner of the name can withdraw. */
export const offerAnswers = ['accepted', 'declined', 'withdrawn'] as const
export type OfferAnswer = (typeof offerAnswers)[number]
export type OfferOutcome = OfferAnswer | 'expired'

const ownerOfferSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    /** With a transfer, the owner who offered it stops being an owner when it is accepted. */
    kind: z.enum(offerKinds),
    from: namedPersonSchema,
    to: namedPersonSchema,
    offeredAt: instantSchema,
    expiresAt: instantSchema,
  })
  .meta({ id: 'OwnerOffer' })
export type OwnerOffer = z.infer<typeof ownerOfferSchema>

const ownNameSchema = z
  .strictObject({
    name: z.string(),
    owners: z.array(ownerSchema),
    /** Open offers of any owner. */
    offers: z.array(ownerOfferSchema),
    /** The most recently submitted release, which another owner may have submitted. */
    latest: z
      .strictObject({ version: z.string(), status: z.enum(releaseStatuses), publisher: z.string() })
      .nullable(),
  })
  .meta({ id: 'OwnName' })
export type OwnName = z.infer<typeof ownNameSchema>

const ownNamesSchema = z.strictObject({
  items: z.array(ownNameSchema),
  total: z.int(),
  /** Open offers to you. */
  received: z.array(ownerOfferSchema),
})
export type OwnNames = z.infer<typeof ownNamesSchema>

/** Maximum characters of a sign-in name or an id. */
export const maxRecipientCharacters = 200
const recipientSchema = requiredText(1, maxRecipientCharacters).describe(
  'The sign-in name of a person, or their id such as `id:7`.',
)
const newOfferSchema = z.strictObject({ kind: z.enum(offerKinds), to: recipientSchema })
export type NewOffer = z.infer<typeof newOfferSchema>

export const minTransferReason = 10
export const maxTransferReason = 2000
const transferSchema = z.strictObject({
  to: recipientSchema,
  reason: requiredText(minTransferReason, maxTransferReason),
})
export type Transfer = z.infer<typeof transferSchema>

const nameOwnerSchema = z.strictObject({
  id: z.int(),
  person: namedPersonSchema,
  /** Whether the person has been removed. */
  removed: z.boolean(),
  since: instantSchema,
  addedBy: namedPersonSchema,
  /** The administrator's reason for a transfer. */
  reason: z.string().nullable(),
})
export type NameOwner = z.infer<typeof nameOwnerSchema>

const nameOwnersSchema = z.strictObject({
  /** Newest first. */
  owners: z.array(nameOwnerSchema),
  offers: z.array(ownerOfferSchema),
})
export type NameOwners = z.infer<typeof nameOwnersSchema>

export const ownerRoutes = section('Skilldock', {
  listOwners: route('GET /api/skilldock/skills/{name}/owners', 'public', {
    summary: 'List the people who may publish releases of a skill, if one of its releases is approved',
    params: nameParams,
    reply: reply(z.strictObject({ items: z.array(ownerSchema) }), 'The owners'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
})

// Tokens with the scope `publish` must not be able to give a name away, so only listOwnNames declares it.
export const ownNameRoutes = section('Skilldock', {
  listOwnNames: route('GET /api/skilldock/names', 'person', {
    summary: 'List the names that you own with their owners and offers, 50 per page, and the offers to you',
    scope: 'publish',
    query: pageQuerySchema,
    reply: paged(reply(ownNamesSchema, 'A page of your names, and the offers to you'), pageSize),
  }),
  offerOwnership: route('POST /api/skilldock/names/{name}/offers', 'person', {
    summary: 'Offer a person co-ownership of a name that you own, or transfer your ownership to them',
    params: nameParams,
    body: json(newOfferSchema),
    reply: reply(ownerOfferSchema, 'The offer', 201),
    errors: [
      'NOT_OWNER',
      'NOT_FOUND',
      'ALREADY_OWNER',
      'TOO_MANY_OWNERS',
      'VALIDATION_FAILED',
      'QUOTA_EXCEEDED',
    ],
  }),
  answerOffer: route('POST /api/skilldock/offers/{id}', 'person', {
    summary: 'Accept or decline an offer to you, or withdraw an offer of a name that you own',
    params: idParamsSchema,
    body: json(z.strictObject({ answer: z.enum(offerAnswers) })),
    reply: reply(successSchema, 'Done'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'TOO_MANY_OWNERS'],
  }),
  leaveName: route('DELETE /api/skilldock/names/{name}', 'person', {
    summary: 'Stop being an owner of a name that has another owner',
    params: nameParams,
    reply: reply(successSchema, 'You are no longer an owner'),
    errors: ['NOT_OWNER', 'LAST_OWNER'],
  }),
})

export const deskNameRoutes = inDesk(ownNameRoutes)

/** For the release in review. */
export const deskOwnerRoutes = {
  getNameOwners: route('GET /desk/api/names/{name}/owners', 'reviewer', {
    summary: 'Get the owners of a name, and the open offers',
    params: nameParams,
    reply: reply(nameOwnersSchema, 'The owners'),
    errors: ['NOT_FOUND'],
  }),
  transferName: route('POST /desk/api/names/{name}/transfer', 'administrator', {
    summary: 'Make a person the only owner of a name, with a reason and without an offer',
    params: nameParams,
    body: json(transferSchema),
    reply: reply(successSchema, 'The person is the only owner'),
    errors: ['NOT_FOUND', 'ALREADY_OWNER'],
  }),
}
