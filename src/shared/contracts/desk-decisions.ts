import { z } from 'zod'
import { capabilityKeys } from '../capabilities.ts'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { idParamsSchema, instantSchema } from './desk-common.ts'
import { observationSchema } from './evidence.ts'
import { checkIdSchema, fingerprintSchema, judgementSchema } from './findings.ts'
import { registryReviewSchema, reviewActions } from './releases.ts'
import { requiredText, storedText } from './texts.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** The undo window in milliseconds: how long the server holds an approval or a rejection. 0: not at all. */
export const undoMsSchema = z.int().min(0).max(60_000)

/** A decision that the server holds until its undo window ends. */
export const heldDecisionSchema = z
  .strictObject({
    action: z.enum(['approved', 'rejected']),
    byId: z.int(),
    by: z.string(),
    undoMs: undoMsSchema.describe('The undo window that it was made with.'),
    /** Until it is carried out, at the moment of the answer. */
    remainingMs: undoMsSchema,
  })
  .meta({ id: 'HeldDecision' })
export type HeldDecision = z.infer<typeof heldDecisionSchema>

/**
 * Why a held decision was not carried out:
 * - `stopped`: the server ended without warning;
 * - `overtaken`: somebody decided on the release through the registry meanwhile;
 * - `grown`: another version was approved meanwhile, and beside it this one can do something that was not ticked as seen;
 * - `barred`: the person was no longer an administrator, or it was their own release and self-approval was turned off.
 */
export const lostCauses = ['stopped', 'overtaken', 'grown', 'barred'] as const
export type LostCause = (typeof lostCauses)[number]

/** A decision of the signed-in administrator that was held and not carried out. */
export const lostDecisionSchema = z
  .strictObject({
    id: z.int(),
    releaseId: z.int(),
    name: z.string(),
    version: z.string(),
    action: z.enum(['approved', 'rejected']),
    reason: z.string(),
    heldAt: instantSchema,
    cause: z.enum(lostCauses),
  })
  .meta({ id: 'LostDecision' })
export type LostDecision = z.infer<typeof lostDecisionSchema>

const cannedReasonWith = (text: typeof storedText) =>
  z.strictObject({ action: z.enum(reviewActions), label: text(1, 80), sentence: text(1, 500) })

/** A sentence that notes often begin with. */
export const cannedReasonSchema = cannedReasonWith(storedText).meta({ id: 'CannedReason' })
export type CannedReason = z.infer<typeof cannedReasonSchema>
export const maxCannedReasons = 60
const cannedReasonsSchema = z.strictObject({ items: z.array(cannedReasonSchema).max(maxCannedReasons) })
const savedReasonsSchema = z.strictObject({
  items: z.array(cannedReasonWith(requiredText)).max(maxCannedReasons),
})

export const deskDecisionRoutes = {
  decideRelease: route({
    method: 'POST',
    path: '/desk/api/releases/{id}/decision',
    tag: 'Desk',
    summary:
      'Approve or reject a release, which the server holds for the undo window (`undoMs` in the settings), ' +
      'or revoke one, which takes effect at once',
    access: 'administrator',
    params: idParamsSchema,
    body: json(
      z.strictObject({
        ...registryReviewSchema.shape,
        /** The growth of capability that the reviewer has ticked as seen; it must be all of it. */
        growthSeen: z.array(z.enum(capabilityKeys)).max(20).default([]),
        observation: observationSchema.nullable().default(null),
      }),
    ),
    reply: reply(
      z.strictObject({ held: heldDecisionSchema.nullable() }),
      'The held decision, or null where it has taken effect already',
    ),
    errors: [
      'NOT_FOUND',
      'INVALID_TRANSITION',
      'GROWTH_NOT_SEEN',
      'EVIDENCE_MISMATCH',
      'SELF_REVIEW',
      'ORIGIN_FORBIDDEN',
      'DATABASE_UNAVAILABLE',
    ],
  }),
  undoDecision: route({
    method: 'DELETE',
    path: '/desk/api/releases/{id}/decision',
    tag: 'Desk',
    summary: 'Take back the own decision on a release while it is held',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(successSchema, 'Taken back; the release is pending'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'FORBIDDEN', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  listLostDecisions: route({
    method: 'GET',
    path: '/desk/api/lost-decisions',
    tag: 'Desk',
    summary: 'List the own decisions that were held and not carried out, until they are dismissed',
    access: 'administrator',
    reply: reply(z.strictObject({ items: z.array(lostDecisionSchema) }), 'Newest first'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  dismissLostDecision: route({
    method: 'DELETE',
    path: '/desk/api/lost-decisions/{id}',
    tag: 'Desk',
    summary: 'Stop telling of a decision that was not carried out',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(successSchema, 'Dismissed'),
    errors: ['NOT_FOUND', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  listReasons: route({
    method: 'GET',
    path: '/desk/api/reasons',
    tag: 'Desk',
    summary: 'List the reasons to start notes from',
    access: 'administrator',
    reply: reply(cannedReasonsSchema, 'In the order in which they are shown'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  saveReasons: route({
    method: 'PUT',
    path: '/desk/api/reasons',
    tag: 'Desk',
    summary: 'Replace the list of reasons to start notes from',
    access: 'administrator',
    body: json(savedReasonsSchema),
    reply: reply(cannedReasonsSchema, 'As saved'),
    errors: ['ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  judgeFinding: route({
    method: 'POST',
    path: '/desk/api/releases/{id}/judgements',
    tag: 'Desk',
    summary:
      'Judge a finding of a release harmless, for it and for later versions in which nothing of it changed',
    access: 'administrator',
    params: idParamsSchema,
    body: json(
      z.strictObject({
        fingerprint: fingerprintSchema,
        reason: requiredText(5, 500),
        check: checkIdSchema
          .nullable()
          .default(null)
          .describe('Of a finding that only a desk sees, because the examples have to run for it.'),
      }),
    ),
    reply: reply(judgementSchema, 'The judgement', 201),
    errors: ['NOT_FOUND', 'ALREADY_JUDGED', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  withdrawJudgement: route({
    method: 'DELETE',
    path: '/desk/api/judgements/{id}',
    tag: 'Desk',
    summary: 'Withdraw a judgement: the finding is open again',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(successSchema, 'Withdrawn'),
    errors: ['NOT_FOUND', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
}

/** Data of a `presence` event of the stream: which releases are open at the other desks. */
export const deskPresenceSchema = z
  .strictObject({
    open: z.array(z.strictObject({ personId: z.int(), name: z.string(), release: z.int() })).max(200),
  })
  .meta({ id: 'DeskPresence' })
export type DeskPresence = z.infer<typeof deskPresenceSchema>

/** Data of a `writing` event of the stream: which posts are open in editors of other desks, and since when idle. */
export const deskWritingSchema = z
  .strictObject({
    posts: z
      .array(
        z.strictObject({
          name: z.string(),
          /** Whether it is another desk of the same person. */
          own: z.boolean(),
          post: z.int(),
          writtenAt: instantSchema,
        }),
      )
      .max(200),
  })
  .meta({ id: 'DeskWriting' })
export type DeskWriting = z.infer<typeof deskWritingSchema>
