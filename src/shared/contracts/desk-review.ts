import { z } from 'zod'
import { document, reply, route } from '../route.ts'
import { deskOffsetSchema, idParamsSchema, instantSchema, maxSearchCharacters } from './desk-common.ts'
import { deskPageSize } from '../list-page.ts'
import { heldDecisionSchema } from './desk-decisions.ts'
import { releaseEventSchema } from './desk-audit-log.ts'
import { approvalsSchema, selfApprovals } from '../settings.ts'
import { firstApprovalSchema, provenanceSchema, reviewStatementSchema } from './evidence.ts'
import { releaseChecksSchema } from './findings.ts'
import { threadFilters, threadSchema, threadSummarySchema } from './thread.ts'
import { deprecationSchema } from './release-states.ts'
import { maxPackageBytes, minPackageBytes, releaseStatuses } from './releases.ts'
import { skillManifestSchema } from './manifest.ts'
import { reviewActions } from './decisions.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

const queueRowSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    version: z.string(),
    status: z.enum(releaseStatuses),
    publisher: z.string(),
    createdAt: instantSchema,
    /** Whether no release of the skill had been approved when this one was submitted. */
    first: z.boolean(),
    decidedAt: instantSchema.nullable(),
    decidedBy: z.string().nullable(),
    /** Whether the last decision is the publisher's approval of their own release. */
    selfApproved: z.boolean(),
    /** The number of open findings, and whether there are new capabilities; null if the release hasn't been checked. */
    checks: z.strictObject({ errors: z.int(), warnings: z.int(), grew: z.boolean() }).nullable(),
    held: heldDecisionSchema.nullable(),
    /** Who made the first of two necessary approvals; null unless pending. */
    firstApprovedBy: z.string().nullable(),
    /** Null without messages. */
    thread: threadSummarySchema.nullable(),
  })
  .meta({ id: 'QueueRow' })
export type QueueRow = z.infer<typeof queueRowSchema>

export const queueViews = ['pending', 'decided', 'all'] as const
export type QueueView = (typeof queueViews)[number]
export const queueSorts = ['waiting', 'newest', 'name'] as const
export type QueueSort = (typeof queueSorts)[number]

export const queueQuerySchema = z.object({
  view: z.enum(queueViews).default('pending'),
  status: z.enum(releaseStatuses).optional(),
  sort: z.enum(queueSorts).default('waiting'),
  thread: z
    .enum(threadFilters)
    .optional()
    .describe('Only pending releases whose conversation is in this state, by its label or its last message.'),
  q: z
    .string()
    .max(maxSearchCharacters)
    .optional()
    .describe('Part of a skill name or publisher, or the beginning of a digest.'),
  offset: deskOffsetSchema,
})

const statusCountsSchema = z
  .strictObject({ pending: z.int(), approved: z.int(), rejected: z.int(), revoked: z.int() })
  .meta({ id: 'StatusCounts' })
export type StatusCounts = z.infer<typeof statusCountsSchema>

export const decisionSchema = z.strictObject({
  id: z.int(),
  releaseId: z.int(),
  name: z.string(),
  version: z.string(),
  action: z.enum(reviewActions),
  reason: z.string(),
  decidedBy: z.string(),
  decidedAt: instantSchema,
  /** Whether it was made in the desk and has evidence. */
  evidence: z.boolean(),
})
export type Decision = z.infer<typeof decisionSchema>

/** Metadata from the module itself. */
export const moduleDetailsSchema = z.strictObject({
  tables: z
    .array(z.strictObject({ elementType: z.string(), min: z.number(), max: z.number().nullable() }))
    .max(20),
  /** Index of the start function. */
  start: z.int().nullable(),
  /** From the custom section `producers`: `language`, `processed-by`, `sdk`. */
  producers: z.array(z.strictObject({ field: z.string(), name: z.string(), version: z.string() })).max(50),
  /** From the custom section `target_features`, without their prefix; those marked `-` (not used) are left out. */
  targetFeatures: z.array(z.string()).max(64),
  /** The number of functions named in the custom section `name`. */
  namedFunctions: z.int(),
  /** Total bytes of the name and debug sections. */
  debugBytes: z.int(),
})
export type ModuleDetails = z.infer<typeof moduleDetailsSchema>

/** What is known about the module from reading it when it was submitted, without running it. */
export const moduleFactsSchema = z.strictObject({
  /** The functions that it imports from wasi_snapshot_preview1. */
  imports: z.array(z.string()),
  exports: z.array(z.strictObject({ name: z.string(), kind: z.string() })).max(200),
  /** The number of all exports; `exports` contains the first 200. */
  exportCount: z.int(),
  /** In pages of 64 KiB. */
  memory: z.strictObject({ minPages: z.number(), maxPages: z.number().nullable() }),
  functionCount: z.int(),
  hasStart: z.boolean(),
  sections: z.array(z.strictObject({ name: z.string(), size: z.int() })).max(200),
  /** Null for a release submitted before these details were recorded. */
  details: moduleDetailsSchema.nullable(),
})
export type ModuleFacts = z.infer<typeof moduleFactsSchema>

const deskReleaseSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    version: z.string(),
    status: z.enum(releaseStatuses),
    sha256: z.string(),
    size: z.int().min(minPackageBytes).max(maxPackageBytes),
    createdAt: instantSchema,
    reviewReason: z.string().nullable(),
    manifest: skillManifestSchema,
    /** Null for a release submitted before this was recorded. */
    module: moduleFactsSchema.nullable(),
    /** Whether the stored bytes exist and match the digest. */
    package: z.enum(['intact', 'missing', 'changed', 'unavailable']),
    owner: z.strictObject({
      id: z.int(),
      publisher: z.string(),
      createdAt: instantSchema,
      releases: statusCountsSchema,
      /** The publisher's most recently decided releases of any skill, newest first, at most 12. */
      decided: z.array(
        z.strictObject({
          id: z.int(),
          name: z.string(),
          version: z.string(),
          status: z.enum(releaseStatuses),
        }),
      ),
    }),
    checks: releaseChecksSchema.nullable(),
    held: heldDecisionSchema.nullable(),
    /** For the publisher: whether they may approve their own release. Null for everyone else. */
    selfApproval: z.enum(selfApprovals).nullable(),
    /** The setting `review.approvals`. */
    approvalsNeeded: approvalsSchema,
    /** The first of two necessary approvals, unless it was withdrawn. */
    firstApproval: z
      .strictObject({ byId: z.int(), ...firstApprovalSchema.shape })
      .omit({ evidence: true })
      .nullable(),
    /** Completed downloads since the approval. */
    downloads: z.int(),
    /** Null unless it came by trusted publishing. */
    provenance: provenanceSchema.nullable(),
    /** The review statement of the last decision. */
    statement: reviewStatementSchema.nullable(),
    deprecation: deprecationSchema.nullable(),
    /** The conversation with the publisher. */
    thread: threadSchema,
    /** Position in the queue, from 1; null unless pending. */
    place: z.int().nullable(),
    /** The decisions on this release, newest first. */
    history: z.array(decisionSchema),
    /** All events of this release (submission, decisions, dismissals), newest first, at most 200. */
    events: z.array(releaseEventSchema),
    /** The other releases of the skill, newest first, at most 100. */
    siblings: z.array(
      z.strictObject({
        id: z.int(),
        version: z.string(),
        status: z.enum(releaseStatuses),
        createdAt: instantSchema,
      }),
    ),
  })
  .meta({ id: 'DeskRelease' })
export type DeskRelease = z.infer<typeof deskReleaseSchema>

export const deskReviewRoutes = {
  listQueue: route('GET /desk/api/releases', 'reviewer', {
    summary: `List releases for review, ${deskPageSize} per page`,
    query: queueQuerySchema,
    reply: reply(
      z.strictObject({ items: z.array(queueRowSchema), total: z.int(), counts: statusCountsSchema }),
      'A page, the number of matching releases, and the number in each status',
    ),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  getDeskRelease: route('GET /desk/api/releases/{id}', 'reviewer', {
    summary: 'Get a release with all details for review',
    params: idParamsSchema,
    reply: reply(deskReleaseSchema, 'The release'),
    errors: ['NOT_FOUND', 'PACKAGE_CORRUPT'],
  }),
  inspectDeskPackage: route('GET /desk/api/releases/{id}/package', 'reviewer', {
    summary: 'Download the module of a release for inspection',
    params: idParamsSchema,
    reply: document('application/wasm', 'The WebAssembly module'),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS', 'STORAGE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
}
