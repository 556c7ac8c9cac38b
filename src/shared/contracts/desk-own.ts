import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { deskOffsetSchema, instantSchema } from './desk-common.ts'
import { deskPageSize } from '../list-page.ts'
import { accessKinds, accessSchema, issuedTokenSchema, newTokenSchema } from './desk-people.ts'
import { firstApprovalSchema } from './evidence.ts'
import { findingSchema, judgedFindingSchema } from './findings.ts'
import { deprecationSchema } from './release-states.ts'
import { registrySubmissionSchema, releaseStatuses, submissionBody, submissionErrors } from './releases.ts'
import { threadSummarySchema } from './thread.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

export const ownReleaseSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    version: z.string(),
    status: z.enum(releaseStatuses),
    /** The owner who submitted it; null if you did. */
    submittedBy: z.string().nullable(),
    size: z.int(),
    sha256: z.string(),
    createdAt: instantSchema,
    reviewReason: z.string().nullable(),
    /** Only of an approved release that is deprecated. */
    deprecation: deprecationSchema.optional(),
    /** Only while the release is pending and one of two necessary approvals has been made. */
    firstApproval: firstApprovalSchema.pick({ approvedBy: true, approvedAt: true }).optional(),
    /** Position in the queue, from 1; null unless pending. */
    place: z.int().nullable(),
    /** The number of pending releases in the queue. */
    waiting: z.int(),
    findings: z.array(judgedFindingSchema),
    /** Those that were open when it was rejected; null otherwise, and if it was rejected before they were recorded. */
    rejectedFor: z.array(findingSchema).nullable(),
    /** Null without messages, and if you no longer own the name. */
    thread: threadSummarySchema.nullable(),
  })
  .meta({ id: 'OwnRelease' })
export type OwnRelease = z.infer<typeof ownReleaseSchema>

/** Release endpoints for every signed-in person. */
export const deskOwnRoutes = {
  listOwn: route('GET /desk/api/own/releases', 'person', {
    summary: `List your releases and others of your names with status, review notes and queue position, newest first, ${deskPageSize} per page`,
    query: z.object({ offset: deskOffsetSchema }),
    reply: reply(z.strictObject({ items: z.array(ownReleaseSchema), total: z.int() }), 'A page'),
  }),
  submitOwn: route('POST /desk/api/own/releases', 'person', {
    summary: 'Submit a release for review',
    body: submissionBody,
    reply: reply(registrySubmissionSchema, 'The submission, pending review', 201),
    errors: [...submissionErrors],
  }),
}

/** Endpoints of tokens, sessions and passkeys for every signed-in person. */
export const deskOwnAccessRoutes = {
  listOwnAccess: route('GET /desk/api/own/access', 'person', {
    summary: 'List your tokens, desk sessions and passkeys',
    reply: reply(z.strictObject({ items: z.array(accessSchema) }), 'Tokens, sessions and passkeys'),
  }),
  issueOwnToken: route('POST /desk/api/own/tokens', 'person', {
    summary: 'Create a token for yourself',
    body: json(newTokenSchema),
    reply: reply(issuedTokenSchema, 'The token', 201),
  }),
  endOwnAccess: route('DELETE /desk/api/own/access/{kind}/{access}', 'person', {
    summary: 'Revoke one of your tokens, sessions or passkeys',
    params: z.object({ kind: z.enum(accessKinds), access: z.string().max(64) }),
    reply: reply(successSchema, 'Revoked'),
    errors: ['NOT_FOUND'],
  }),
}
