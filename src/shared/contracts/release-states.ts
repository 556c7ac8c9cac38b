import { z } from 'zod'
import { document, inDesk, json, paged, reply, route, section } from '../route.ts'
import { pageQuerySchema, successSchema } from './common.ts'
import { instantSchema } from './desk-common.ts'
import { digestSchema, releaseParams } from './releases.ts'
import { skillNameSchema, versionSchema } from './manifest.ts'
import { requiredText } from './text-schemas.ts'
import { texts } from '../validation.texts.ts'

/** The advisories of one reply. */
export const advisoriesPerPage = 1000

/** The most deprecations of one person in 24 hours. Each is in the transparency log forever. */
export const dailyDeprecations = 100

/** An approved release, `NAME@VERSION`, or the latest of a skill, `NAME`. */
const successorSchema = z
  .string()
  .refine((value) => {
    const [name, version, ...rest] = value.split('@')
    const isVersion = version === undefined || versionSchema.safeParse(version).success
    return skillNameSchema.safeParse(name).success && isVersion && rest.length === 0
  }, texts.successor)
  .describe('What to use instead: an approved release `NAME@VERSION`, or a skill `NAME`.')

export const minDeprecationReason = 10
export const maxDeprecationReason = 500
const deprecationReasonSchema = requiredText(minDeprecationReason, maxDeprecationReason)

const newDeprecationSchema = z.strictObject({
  reason: deprecationReasonSchema,
  successor: successorSchema.nullable().optional(),
})
export type NewDeprecation = z.infer<typeof newDeprecationSchema>

export const deprecationSchema = z
  .strictObject({
    reason: z.string(),
    /** Null without one, and if it is no longer approved. */
    successor: z.string().nullable(),
    deprecatedAt: instantSchema,
  })
  .meta({ id: 'Deprecation' })
export type Deprecation = z.infer<typeof deprecationSchema>

const releaseStateSchema = z
  .strictObject({
    name: skillNameSchema,
    version: versionSchema,
    sha256: digestSchema,
    status: z.enum(['approved', 'revoked']),
    latest: versionSchema
      .nullable()
      .describe('The most recently submitted approved release of the skill; null without one.'),
    deprecation: deprecationSchema.nullable().describe('Null unless the release is approved and deprecated.'),
    advisory: z.string().nullable().describe('The id of the advisory of a revoked release.'),
  })
  .meta({ id: 'ReleaseState' })
export type ReleaseState = z.infer<typeof releaseStateSchema>

const deprecationErrors = ['NOT_FOUND', 'NOT_OWNER', 'INVALID_TRANSITION'] as const

/** What has become of releases after their approval (rulings, "Own endpoints"). */
export const releaseStateRoutes = section('Skilldock', {
  getReleaseState: route('GET /api/skilldock/skills/{name}/{version}/state', 'public', {
    summary:
      'Get whether a release that was approved is revoked or deprecated, and the latest release of the skill',
    params: releaseParams,
    reply: reply(releaseStateSchema, 'The state'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  getAdvisories: route('GET /api/skilldock/advisories.json', 'public', {
    summary: `List the revoked releases in the format of OSV, newest submission first, ${advisoriesPerPage} per page`,
    query: pageQuerySchema,
    reply: paged(document('application/json', 'An array of OSV records'), advisoriesPerPage),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
})

// Tokens with the scope `publish` must not be able to tell everyone to stop using a skill.
export const deprecationRoutes = section('Skilldock', {
  deprecateRelease: route('POST /api/skilldock/skills/{name}/{version}/deprecation', 'person', {
    summary: 'Deprecate an approved release of a name that you own; administrators can deprecate any',
    params: releaseParams,
    body: json(newDeprecationSchema),
    reply: reply(successSchema, 'Deprecated'),
    errors: [...deprecationErrors, 'QUOTA_EXCEEDED'],
  }),
  withdrawDeprecation: route('DELETE /api/skilldock/skills/{name}/{version}/deprecation', 'person', {
    summary: 'Withdraw the deprecation of a release',
    params: releaseParams,
    reply: reply(successSchema, 'No longer deprecated'),
    errors: deprecationErrors,
  }),
})

export const deskDeprecationRoutes = inDesk(deprecationRoutes)
