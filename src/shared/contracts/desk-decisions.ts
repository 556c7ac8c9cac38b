import { z } from 'zod'
import { capabilityKeys } from '../capabilities.ts'
import { inDesk, json, reply, route, section } from '../route.ts'
import { successSchema } from './common.ts'
import { idParamsSchema, instantSchema } from './desk-common.ts'
import { observationSchema } from './evidence.ts'
import { checkIdSchema, fingerprintSchema, judgementSchema } from './findings.ts'
import { registryReviewSchema, reviewActions } from './decisions.ts'
import { requiredText, storedText } from './text-schemas.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

/** The undo window in milliseconds: how long the server holds an approval or rejection. 0 turns it off. The setting uses this schema. */
export const maxUndoMs = 60_000
export const undoMsSchema = z.int().min(0).max(maxUndoMs)

/** A decision that the server holds until its undo window ends. */
export const heldDecisionSchema = z
  .strictObject({
    action: z.enum(['approved', 'rejected']),
    byId: z.int(),
    by: z.string(),
    undoMs: undoMsSchema.describe('The undo window at the time of the decision.'),
    /** Time until the decision takes effect, as of the response. */
    remainingMs: undoMsSchema,
  })
  .meta({ id: 'HeldDecision' })
export type HeldDecision = z.infer<typeof heldDecisionSchema>

/**
 * Why a held decision did not take effect:
 * - `stopped`: the server stopped unexpectedly;
 * - `overtaken`: another decision on the release was made through the registry API;
 * - `grown`: another version was approved in the meantime, and compared with it this one has new capabilities that the
 *   reviewer did not confirm;
 * - `barred`: the person was no longer a reviewer, or it was their own release and self-approval was turned off, or a
 *   second approval was required by then and theirs was the first.
 */
export const lostCauses = ['stopped', 'overtaken', 'grown', 'barred'] as const
export type LostCause = (typeof lostCauses)[number]

/** A held decision of the signed-in reviewer that did not take effect. */
const lostDecisionSchema = z
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

/** Maximum characters of a template's label and of its text. */
export const maxTemplateLabelCharacters = 80
export const maxTemplateTextCharacters = 500
const cannedReasonWith = (text: typeof storedText) =>
  z.strictObject({
    action: z.enum(reviewActions),
    label: text(1, maxTemplateLabelCharacters),
    sentence: text(1, maxTemplateTextCharacters),
  })

/** A template for review notes. */
const cannedReasonSchema = cannedReasonWith(storedText).meta({ id: 'CannedReason' })
export type CannedReason = z.infer<typeof cannedReasonSchema>
export const maxCannedReasons = 60
const cannedReasonsSchema = z.strictObject({ items: z.array(cannedReasonSchema).max(maxCannedReasons) })
const savedReasonsSchema = z.strictObject({
  items: z.array(cannedReasonWith(requiredText)).max(maxCannedReasons),
})

const deskDecisionSchema = z.strictObject({
  ...registryReviewSchema.shape,
  /** The new capabilities that the reviewer has confirmed; an approval must list all of them. */
  growthSeen: z.array(z.enum(capabilityKeys)).max(20).default([]),
  observation: observationSchema.nullable().default(null),
  publishReason: z
    .boolean()
    .default(false)
    .describe('For a revocation: whether the advisory contains the reason.'),
})
/** A decision with the evidence that it was based on. */
export type DeskDecision = z.output<typeof deskDecisionSchema>

export const minDismissalReason = 5
export const maxDismissalReason = 500

/** For reviewers, on the registry and in the desk. */
export const approvalRoutes = section('Skilldock', {
  withdrawApproval: route('DELETE /api/skilldock/review/{id}/first-approval', 'reviewer', {
    summary: 'Withdraw your first approval of a pending release',
    params: idParamsSchema,
    reply: reply(successSchema, 'Withdrawn'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'FORBIDDEN'],
  }),
})

export const deskDecisionRoutes = {
  decideRelease: route('POST /desk/api/releases/{id}/decision', 'reviewer', {
    summary:
      'Approve or reject a release, held for the undo window (the setting `undoMs`), ' +
      'or revoke one, which takes effect immediately',
    params: idParamsSchema,
    body: json(deskDecisionSchema),
    reply: reply(
      z.strictObject({ held: heldDecisionSchema.nullable() }),
      'The held decision, or null if it has taken effect',
    ),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'GROWTH_NOT_SEEN', 'EVIDENCE_MISMATCH', 'SELF_REVIEW'],
  }),
  undoDecision: route('DELETE /desk/api/releases/{id}/decision', 'reviewer', {
    summary: 'Undo your decision on a release while it is held',
    params: idParamsSchema,
    reply: reply(successSchema, 'Undone; the release is pending again'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'FORBIDDEN'],
  }),
  ...inDesk(approvalRoutes),
  listLostDecisions: route('GET /desk/api/lost-decisions', 'reviewer', {
    summary: 'List your held decisions that did not take effect, until you dismiss them',
    reply: reply(z.strictObject({ items: z.array(lostDecisionSchema) }), 'The decisions, newest first'),
  }),
  dismissLostDecision: route('DELETE /desk/api/lost-decisions/{id}', 'reviewer', {
    summary: 'Dismiss the notice about a decision that did not take effect',
    params: idParamsSchema,
    reply: reply(successSchema, 'Dismissed'),
    errors: ['NOT_FOUND'],
  }),
  listReasons: route('GET /desk/api/reasons', 'reviewer', {
    summary: 'List the templates for review notes',
    reply: reply(cannedReasonsSchema, 'The templates, in display order'),
  }),
  saveReasons: route('PUT /desk/api/reasons', 'reviewer', {
    summary: 'Replace the templates for review notes',
    body: json(savedReasonsSchema),
    reply: reply(cannedReasonsSchema, 'The saved templates'),
  }),
  judgeFinding: route('POST /desk/api/releases/{id}/judgements', 'reviewer', {
    summary: 'Dismiss a finding, for all versions of the skill in which it is unchanged',
    params: idParamsSchema,
    body: json(
      z.strictObject({
        fingerprint: fingerprintSchema,
        reason: requiredText(minDismissalReason, maxDismissalReason),
        check: checkIdSchema
          .nullable()
          .default(null)
          .describe('The check, for a finding that only the desk reports because it needs a test run.'),
      }),
    ),
    reply: reply(judgementSchema, 'The dismissal', 201),
    errors: ['NOT_FOUND', 'ALREADY_JUDGED'],
  }),
  withdrawJudgement: route('DELETE /desk/api/judgements/{id}', 'reviewer', {
    summary: 'Reopen a dismissed finding',
    params: idParamsSchema,
    reply: reply(successSchema, 'Reopened'),
    errors: ['NOT_FOUND'],
  }),
}

/** Data of a `presence` event: the releases that are open in other desks. */
const deskPresenceSchema = z
  .strictObject({
    open: z.array(z.strictObject({ personId: z.int(), name: z.string(), release: z.int() })).max(200),
  })
  .meta({ id: 'DeskPresence' })
export type DeskPresence = z.infer<typeof deskPresenceSchema>

/** Data of a `writing` event: the posts that are open in the editors of other desks, and when each was last edited. */
const deskWritingSchema = z
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
