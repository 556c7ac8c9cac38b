import { z } from 'zod'
import { document, json, paged, reply, route, section } from '../route.ts'
import type { MultipartBody } from '../route.ts'
import { offsetSchema, pageQuerySchema, successSchema } from './common.ts'
import {
  maxManifestBytes,
  maxManifestCharacters,
  skillManifestSchema,
  skillNameSchema,
  versionSchema,
} from './manifest.ts'
import { registryReviewSchema } from './decisions.ts'
import { texts } from '../validation.texts.ts'

/** Section 8: at most 16 MiB. */
export const maxPackageBytes = 16_777_216
/** Section 2.2: the minimum size, that of a WebAssembly header. */
export const minPackageBytes = 8
/** Section 8 and rulings: items per page in every registry list. */
export const pageSize = 50

/** The ETag of a package (rulings, "Package caching"). */
export const packageEtag = (sha256: string): string => `"sha256-${sha256}"`

export const releaseStatuses = ['pending', 'approved', 'rejected', 'revoked'] as const
export type ReleaseStatus = (typeof releaseStatuses)[number]

/** `int` limits it to 9007199254740991. */
const releaseIdSchema = z.int().positive()
export const digestSchema = z.string().regex(/^[a-f0-9]{64}$/)

/** Section 2.2. */
export const registryVersionSchema = z
  .strictObject({
    id: releaseIdSchema,
    name: skillNameSchema,
    version: versionSchema,
    manifest: skillManifestSchema,
    sha256: digestSchema,
    size: z.int().min(minPackageBytes).max(maxPackageBytes),
    status: z.enum(releaseStatuses),
    ownerId: z.int(),
    publisher: z.string(),
    createdAt: z.iso.datetime(),
    reviewReason: z.string().nullable(),
  })
  .meta({ id: 'RegistryVersion' })

export type RegistryVersion = z.infer<typeof registryVersionSchema>

/** Section 2.3. */
export const registryListSchema = z
  .strictObject({ items: z.array(registryVersionSchema) })
  .meta({ id: 'RegistryList' })

/** Section 2.4. */
export const registrySubmissionSchema = z
  .strictObject({
    id: releaseIdSchema,
    status: z.literal('pending'),
    name: skillNameSchema,
    version: versionSchema,
    sha256: digestSchema,
  })
  .meta({ id: 'RegistrySubmission' })

export type RegistrySubmission = z.infer<typeof registrySubmissionSchema>

export const nameParams = z.object({ name: skillNameSchema })
export const releaseParams = z.object({ name: skillNameSchema, version: versionSchema })
const reviewParams = z.object({
  id: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, texts.positive)
    .transform(Number)
    .pipe(releaseIdSchema)
    .meta({ override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } }),
})

/** The request body of a submission, for the registry and the desk. */
export const submissionBody = {
  kind: 'multipart',
  parts: {
    manifest: {
      kind: 'text',
      maxBytes: maxManifestBytes,
      maxLength: maxManifestCharacters,
      tooLargeCode: 'MANIFEST_TOO_LARGE',
      description: 'The SkillManifest as JSON text, at most 25,000 characters and 25,600 bytes of UTF-8.',
    },
    wasm: {
      kind: 'file',
      maxBytes: maxPackageBytes,
      tooLargeCode: 'PACKAGE_TOO_LARGE',
      mediaType: 'application/wasm',
      description: 'A WASI preview 1 command module, at most 16 MiB.',
    },
  },
} as const satisfies MultipartBody

export const submissionErrors = [
  'INVALID_MULTIPART',
  'INVALID_MANIFEST',
  'INVALID_PACKAGE',
  'MANIFEST_TOO_LARGE',
  'PACKAGE_TOO_LARGE',
  'BODY_INCOMPLETE',
  'NAME_TAKEN',
  'VERSION_EXISTS',
  'VALIDATOR_UNAVAILABLE',
  'QUOTA_EXCEEDED',
  'TOO_MANY_REQUESTS',
  'STORAGE_UNAVAILABLE',
] as const

/** The endpoints of section 4.1. Each key is the operationId and the name of the service function. */
export const releaseRoutes = section('Registry', {
  listSkills: route('GET /api/marketplace/skills', 'public', {
    summary: 'List approved releases, newest submission first, 50 per page',
    rateLimit: 'search',
    query: z.object({
      q: z
        .string()
        .max(100)
        .optional()
        .describe('Part of a name, description, category or publisher, case-insensitive.'),
      offset: offsetSchema,
    }),
    reply: paged(reply(registryListSchema, 'A page of approved releases'), pageSize),
    errors: ['TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  getLatestRelease: route('GET /api/marketplace/skills/{name}', 'public', {
    summary: 'Get the most recently submitted approved release of a skill',
    params: nameParams,
    reply: reply(registryVersionSchema, 'The release'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
  getRelease: route('GET /api/marketplace/skills/{name}/{version}', 'public', {
    summary: 'Get an approved release',
    params: releaseParams,
    reply: reply(registryVersionSchema, 'The release'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
  downloadPackage: route('GET /api/marketplace/skills/{name}/{version}/package', 'public', {
    summary: 'Download the module of an approved release; approval is checked on every request',
    params: releaseParams,
    reply: document('application/wasm', 'The WebAssembly module, at most 16 MiB'),
    errors: [
      'NOT_FOUND',
      'TOO_MANY_REQUESTS',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
      'PACKAGE_CORRUPT',
    ],
  }),
  getManifest: route('GET /api/marketplace/skills/{name}/{version}/manifest', 'public', {
    summary: 'Get the manifest of an approved release',
    params: releaseParams,
    reply: reply(skillManifestSchema, 'The manifest, exactly as stored'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
  listOwnReleases: route('GET /api/marketplace/mine', 'person', {
    summary: 'List your releases in any status, newest submission first, 50 per page',
    scope: 'publish',
    query: pageQuerySchema,
    reply: paged(reply(registryListSchema, 'A page of your releases'), pageSize),
  }),
  listReviews: route('GET /api/marketplace/review', 'reviewer', {
    summary: 'List releases in any status for review, newest submission first, 50 per page',
    query: z.object({ status: z.enum(releaseStatuses).optional(), offset: offsetSchema }),
    reply: paged(reply(registryListSchema, 'A page of releases'), pageSize),
  }),
  inspectPackage: route('GET /api/marketplace/review/{name}/{version}/package', 'reviewer', {
    summary: 'Download the module of a release in any status for inspection',
    params: releaseParams,
    reply: document('application/wasm', 'The WebAssembly module, at most 16 MiB'),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS', 'STORAGE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
  submitRelease: route('POST /api/marketplace/publish', 'person', {
    summary: 'Submit a release for review',
    scope: 'submit',
    body: submissionBody,
    reply: reply(registrySubmissionSchema, 'The submission, pending review', 201),
    errors: submissionErrors,
  }),
  reviewRelease: route('POST /api/marketplace/review/{id}', 'reviewer', {
    summary: 'Approve or reject a pending release, or revoke an approved one',
    params: reviewParams,
    body: json(registryReviewSchema),
    reply: reply(successSchema, 'The decision has been recorded'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'SELF_REVIEW'],
  }),
})
