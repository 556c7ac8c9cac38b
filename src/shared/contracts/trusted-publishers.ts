import { z } from 'zod'
import { inDesk, json, reply, route, section } from '../route.ts'
import { texts } from '../validation.texts.ts'
import { successSchema } from './common.ts'
import { idParamsSchema, instantSchema } from './desk-common.ts'
import { issuerSchema } from './issuers.ts'
import { namedPersonSchema } from './owners.ts'
import { nameParams } from './releases.ts'
import { notBlank } from './text-schemas.ts'

// Trusted publishing (decision 034): jobs of CI services publish with their identity token instead of a stored secret.

/** Trusted publishers of one name. */
export const maxPublishers = 10
/** Exchanges of one name in any 24 hours. */
export const dailyExchanges = 100
/** Seconds for which an exchanged token is valid. */
export const grantSeconds = 15 * 60

const githubIssuer = 'https://token.actions.githubusercontent.com'
const gitlabIssuer = 'https://gitlab.com'
/** Of services that need not be named. */
export const defaultIssuers: readonly string[] = [githubIssuer, gitlabIssuer]

/** Compared exactly with a claim, so never trimmed. */
const claimValue = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,300}$/u, texts.claimText)
  .refine(...notBlank)
const environment = claimValue.optional()

export const jobIdentitySchema = z
  .discriminatedUnion('provider', [
    z.strictObject({
      provider: z.literal('github'),
      /** `owner/name`, spelled as GitHub does. */
      repository: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, texts.repository),
      /** The name of a file in `.github/workflows`. */
      workflow: z.string().regex(/^[\w.-]{1,200}\.ya?ml$/, texts.workflow),
      environment,
      issuer: issuerSchema.default(githubIssuer),
    }),
    z.strictObject({
      provider: z.literal('gitlab'),
      /** The path of the project, with its groups. */
      project: z
        .string()
        .max(300)
        .regex(/^[\w.-]+(?:\/[\w.-]+)+$/, texts.project),
      /** The name of a branch. */
      branch: claimValue.optional(),
      environment,
      issuer: issuerSchema.default(gitlabIssuer),
    }),
    z.strictObject({
      provider: z.literal('openid'),
      issuer: issuerSchema,
      subject: claimValue,
      /** By default, the public address of the registry. */
      audience: claimValue.optional(),
      /** Other claims of the token with their values. */
      claims: z.record(z.string().regex(/^[\w./:-]{1,100}$/), claimValue).optional(),
    }),
  ])
  .meta({ id: 'JobIdentity' })
export type JobIdentity = z.output<typeof jobIdentitySchema>
export type NewJobIdentity = z.input<typeof jobIdentitySchema>

/** Ids that were pinned at the first use, by their claims. */
export const pinsSchema = z.record(z.string(), z.string())

const trustedPublisherSchema = z
  .strictObject({
    id: z.int(),
    identity: jobIdentitySchema,
    /** Null before the first use. */
    pins: pinsSchema.nullable(),
    addedBy: namedPersonSchema,
    addedAt: instantSchema,
  })
  .meta({ id: 'TrustedPublisher' })
export type TrustedPublisher = z.infer<typeof trustedPublisherSchema>

/** What a token of a trusted publisher is limited to. */
export interface PublishGrant {
  /** The `jti` of the token. */
  id: string
  name: string
}

const exchangedSchema = z
  .strictObject({
    token: z.string().describe('The JWT. It can only submit releases of the name, and is not stored.'),
    name: z.string(),
    expiresAt: instantSchema,
  })
  .meta({ id: 'ExchangedToken' })
export type ExchangedToken = z.infer<typeof exchangedSchema>

/** In characters. */
const maxIdentityToken = 8192
const path = '/api/skilldock/names/{name}/publishers'

export const tokenExchangeRoutes = section('Skilldock', {
  exchangeToken: route('POST /api/skilldock/publish-tokens', 'public', {
    summary: "Exchange a job's identity token for a token that can publish one name for 15 minutes",
    rateLimit: 'login',
    body: json(
      z.strictObject({ ...nameParams.shape, identityToken: z.string().min(1).max(maxIdentityToken) }),
    ),
    reply: reply(exchangedSchema, 'The token', 201),
    errors: [
      'TOKEN_INVALID',
      'TOKEN_EXPIRED',
      'NOT_TRUSTED',
      'QUOTA_EXCEEDED',
      'TOO_MANY_REQUESTS',
      'ISSUER_UNAVAILABLE',
      'DATABASE_UNAVAILABLE',
    ],
  }),
})

// As with owners, a token with the scope `publish` can only list.
export const trustedPublisherRoutes = section('Skilldock', {
  listPublishers: route(`GET ${path}`, 'person', {
    summary: 'List the trusted publishers of a name that you own',
    scope: 'publish',
    params: nameParams,
    reply: reply(z.strictObject({ items: z.array(trustedPublisherSchema) }), 'The trusted publishers'),
    errors: ['NOT_OWNER'],
  }),
  addPublisher: route(`POST ${path}`, 'person', {
    summary: 'Trust the jobs of a repository or issuer to publish a name that you own, in your name',
    params: nameParams,
    body: json(jobIdentitySchema),
    reply: reply(trustedPublisherSchema, 'The trusted publisher', 201),
    errors: ['NOT_OWNER', 'TOO_MANY_PUBLISHERS', 'VALIDATION_FAILED'],
  }),
  removePublisher: route(`DELETE ${path}/{id}`, 'person', {
    summary: 'Remove a trusted publisher of a name that you own; its tokens are refused at once',
    params: nameParams.extend(idParamsSchema.shape),
    reply: reply(successSchema, 'Removed'),
    errors: ['NOT_OWNER', 'NOT_FOUND'],
  }),
})

export const deskTrustedPublisherRoutes = inDesk(trustedPublisherRoutes)
