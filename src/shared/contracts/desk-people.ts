import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { idParamsSchema, idTextSchema, instantSchema } from './desk-common.ts'
import { decisionSchema } from './desk-review.ts'
import { personNameSchema, roles, subjectSchema } from './people.ts'
import { labelSchema } from './access-labels.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

export const accessKinds = ['token', 'session', 'passkey'] as const
export type AccessKind = (typeof accessKinds)[number]

/** A token, desk session or passkey of a person. */
export const accessSchema = z
  .strictObject({
    kind: z.enum(accessKinds),
    /** The `jti` of a token or the id of a session or passkey. */
    id: z.string(),
    label: z.string(),
    /** Whether it is a session of the remote desk. */
    remote: z.boolean(),
    scope: z.enum(['publish', 'admin']).nullable(),
    createdAt: instantSchema,
    /** Null for a passkey, which does not expire. */
    expiresAt: instantSchema.nullable(),
    endedAt: instantSchema.nullable(),
    lastUsedAt: instantSchema.nullable(),
    /** Whether it is the session of this request. */
    current: z.boolean(),
  })
  .meta({ id: 'Access' })
export type AccessEntry = z.infer<typeof accessSchema>

const personRowSchema = z
  .strictObject({
    id: z.int(),
    subject: z.string(),
    issuer: z.string(),
    name: z.string().nullable(),
    role: z.enum(roles),
    createdAt: instantSchema,
    removedAt: instantSchema.nullable(),
    lastSeenAt: instantSchema.nullable(),
    releases: z.int(),
  })
  .meta({ id: 'PersonRow' })
export type PersonListRow = z.infer<typeof personRowSchema>

/** Maximum lifetime of a token. */
export const maxTokenDays = 3650
export const newTokenSchema = z.strictObject({
  label: labelSchema,
  scope: z.enum(['publish', 'admin']).nullable(),
  /** Lifetime in days. */
  days: z.int().min(1).max(maxTokenDays),
})
export type NewToken = z.output<typeof newTokenSchema>
export const issuedTokenSchema = z.strictObject({
  token: z.string().describe('The JWT. It is shown only once and not stored.'),
  access: accessSchema,
})
export type IssuedToken = z.output<typeof issuedTokenSchema>

/** An identity provider, with who has which role: a sentence, or null if its people can't have the role. */
const providerSchema = z.strictObject({
  name: z.string(),
  issuer: z.string(),
  administrators: z.string(),
  reviewers: z.string().nullable(),
  editors: z.string().nullable(),
})
export type Provider = z.infer<typeof providerSchema>

/** The result of one test. `detail` says what was found and, after a failure, what to do next. */
const issuerCheckSchema = z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })
export type IssuerCheck = z.infer<typeof issuerCheckSchema>

const personDetailSchema = z.strictObject({
  person: personRowSchema,
  /** Valid ones first, then newest first. */
  access: z.array(accessSchema),
  decisions: z.array(decisionSchema),
})
export type PersonDetail = z.infer<typeof personDetailSchema>

export const deskPeopleRoutes = {
  listPeople: route('GET /desk/api/people', 'administrator', {
    summary: 'List people, those with access first',
    reply: reply(z.strictObject({ items: z.array(personRowSchema) }), 'The people'),
  }),
  getPerson: route('GET /desk/api/people/{id}', 'administrator', {
    summary: 'Get a person with their tokens, sessions, passkeys and recent decisions',
    params: idParamsSchema,
    reply: reply(personDetailSchema, 'The person'),
    errors: ['NOT_FOUND'],
  }),
  addPerson: route('POST /desk/api/people', 'administrator', {
    summary: 'Add a person to the built-in issuer',
    body: json(
      z.strictObject({ subject: subjectSchema, name: personNameSchema.optional(), role: z.enum(roles) }),
    ),
    reply: reply(personRowSchema, 'The person', 201),
    errors: ['PERSON_EXISTS'],
  }),
  updatePerson: route('PATCH /desk/api/people/{id}', 'administrator', {
    summary: 'Change the name or role of a person',
    params: idParamsSchema,
    body: json(z.strictObject({ name: personNameSchema.optional(), role: z.enum(roles).optional() })),
    reply: reply(personRowSchema, 'The person'),
    errors: ['LAST_ADMINISTRATOR', 'NOT_FOUND'],
  }),
  removePerson: route('DELETE /desk/api/people/{id}', 'administrator', {
    summary:
      'Remove a person; their tokens, sessions and passkeys are revoked immediately, their releases stay',
    params: idParamsSchema,
    reply: reply(successSchema, 'Removed'),
    errors: ['LAST_ADMINISTRATOR', 'NOT_FOUND'],
  }),
  issuePersonToken: route('POST /desk/api/people/{id}/tokens', 'administrator', {
    summary: 'Create a token for a person',
    params: idParamsSchema,
    body: json(newTokenSchema),
    reply: reply(issuedTokenSchema, 'The token', 201),
    errors: ['NOT_FOUND'],
  }),
  endPersonAccess: route('DELETE /desk/api/people/{id}/access/{kind}/{access}', 'administrator', {
    summary: 'Revoke a token, desk session or passkey',
    params: z.object({ id: idTextSchema, kind: z.enum(accessKinds), access: z.string().max(64) }),
    reply: reply(successSchema, 'Revoked'),
    errors: ['NOT_FOUND'],
  }),
  createSignInLink: route('POST /desk/api/people/{id}/sign-in-link', 'administrator', {
    summary: 'Create a link that signs a person in to the desk; it works once, within five minutes',
    params: idParamsSchema,
    reply: reply(z.strictObject({ url: z.string(), expiresAt: instantSchema }), 'The link', 201),
    errors: ['NOT_FOUND'],
  }),
  listProviders: route('GET /desk/api/providers', 'administrator', {
    summary: 'List the configured external identity providers',
    reply: reply(z.strictObject({ items: z.array(providerSchema) }), 'The providers'),
  }),
  testProvider: route('POST /desk/api/providers/{name}/test', 'administrator', {
    summary: "Test a provider's configuration and keys",
    params: z.object({ name: z.string().min(1).max(200) }),
    reply: reply(
      z.strictObject({ checks: z.array(issuerCheckSchema), testedAt: instantSchema }),
      'The result of each test',
    ),
    errors: ['NOT_FOUND'],
  }),
}
