import { z } from 'zod'
import { raw, reply, route } from '../route.ts'
import { deskOffsetSchema, idParamsSchema, instantSchema } from './desk-common.ts'
import { heldDecisionSchema } from './desk-decisions.ts'
import { historyEntrySchema } from './desk-history.ts'
import { selfApprovals } from '../settings.ts'
import { reviewStatementSchema } from './evidence.ts'
import { releaseChecksSchema } from './findings.ts'
import {
  maxPackageBytes,
  minPackageBytes,
  releaseStatuses,
  reviewActions,
  skillManifestSchema,
} from './releases.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** One row of the queue. */
export const queueRowSchema = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    version: z.string(),
    status: z.enum(releaseStatuses),
    ownerId: z.int(),
    publisher: z.string(),
    category: z.string(),
    size: z.int(),
    sha256: z.string(),
    createdAt: instantSchema,
    /** Whether nothing of this name was approved before it was submitted. */
    first: z.boolean(),
    decidedAt: instantSchema.nullable(),
    decidedBy: z.string().nullable(),
    /** Whether the last decision is an approval by its own publisher. */
    selfApproved: z.boolean(),
    /** Open findings and whether it can do more than the approved one before; null where nothing was checked. */
    checks: z.strictObject({ errors: z.int(), warnings: z.int(), grew: z.boolean() }).nullable(),
    held: heldDecisionSchema.nullable(),
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
  q: z.string().max(100).optional().describe('Part of a name or publisher, or the start of a digest.'),
  offset: deskOffsetSchema,
})

export const statusCountsSchema = z
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
  /** Whether it was made in the desk, with what was seen there. */
  evidence: z.boolean(),
})
export type Decision = z.infer<typeof decisionSchema>

/** What the module says of itself; null in facts that were kept before this was read. */
export const moduleDetailsSchema = z.strictObject({
  tables: z
    .array(z.strictObject({ elementType: z.string(), min: z.number(), max: z.number().nullable() }))
    .max(20),
  /** Index of the start function. */
  start: z.int().nullable(),
  /** From the custom section `producers`: `language`, `processed-by`, `sdk`. */
  producers: z.array(z.strictObject({ field: z.string(), name: z.string(), version: z.string() })).max(50),
  /** From the custom section `target_features`, without its sign. */
  targetFeatures: z.array(z.string()).max(64),
  /** How many functions have a name in the custom section `name`. */
  namedFunctions: z.int(),
  /** Bytes of names and of debug sections. */
  debugBytes: z.int(),
})
export type ModuleDetails = z.infer<typeof moduleDetailsSchema>

/** What the checks at publish saw in the module (never what it does). */
export const moduleFactsSchema = z.strictObject({
  /** Functions of wasi_snapshot_preview1 that it imports. */
  imports: z.array(z.string()),
  exports: z.array(z.strictObject({ name: z.string(), kind: z.string() })).max(200),
  /** All of them, of which `exports` holds the first 200. */
  exportCount: z.int(),
  /** In pages of 64 KiB. */
  memory: z.strictObject({ minPages: z.number(), maxPages: z.number().nullable() }),
  functionCount: z.int(),
  hasStart: z.boolean(),
  sections: z.array(z.strictObject({ name: z.string(), size: z.int() })).max(200),
  details: moduleDetailsSchema.nullable(),
})
export type ModuleFacts = z.infer<typeof moduleFactsSchema>

export const deskReleaseSchema = z
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
    /** Null for a release that was submitted before facts were kept. */
    module: moduleFactsSchema.nullable(),
    /** Whether the stored bytes are there and are those of the digest. */
    package: z.enum(['intact', 'missing', 'changed', 'unavailable']),
    owner: z.strictObject({
      id: z.int(),
      subject: z.string(),
      issuer: z.string(),
      publisher: z.string(),
      createdAt: instantSchema,
      releases: statusCountsSchema,
      /** Their releases of any name that were decided last, newest first, at most 12. */
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
    /** Whether the reader may approve it although they published it; null where somebody else did. */
    selfApproval: z.enum(selfApprovals).nullable(),
    /** Complete downloads since it was approved. */
    downloads: z.int(),
    /** Of the last decision. */
    statement: reviewStatementSchema.nullable(),
    /** Place in line from 1 while pending. */
    place: z.int().nullable(),
    /** Newest first, of this release: decisions alone. */
    history: z.array(decisionSchema),
    /** All that happened to this release, newest first: submitted, decided, findings judged; at most 200. */
    events: z.array(historyEntrySchema),
    /** Other releases of the name, newest first. */
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
  listQueue: route({
    method: 'GET',
    path: '/desk/api/releases',
    tag: 'Desk',
    summary: 'List releases for review, 100 a page',
    access: 'administrator',
    query: queueQuerySchema,
    reply: reply(
      z.strictObject({ items: z.array(queueRowSchema), total: z.int(), counts: statusCountsSchema }),
      'A page, how many there are for the filter, and how many in each status',
    ),
    errors: ['TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  getDeskRelease: route({
    method: 'GET',
    path: '/desk/api/releases/{id}',
    tag: 'Desk',
    summary: 'Get everything that is known of a release',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(deskReleaseSchema, 'The release'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
  inspectDeskPackage: route({
    method: 'GET',
    path: '/desk/api/releases/{id}/package',
    tag: 'Desk',
    summary: 'Download the package of a release for inspection',
    access: 'administrator',
    params: idParamsSchema,
    reply: raw('application/wasm', 'The WebAssembly module'),
    errors: [
      'NOT_FOUND',
      'TOO_MANY_REQUESTS',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
      'PACKAGE_CORRUPT',
    ],
  }),
}
