import { z } from 'zod'
import { json, reply, route, section } from '../route.ts'
import { userCodePattern } from '../user-code.ts'
import { successSchema } from './common.ts'
import { instantSchema } from './desk-common.ts'
import { roles } from './people.ts'
import { requiredText } from './text-schemas.ts'
import { texts } from '../validation.texts.ts'

// Device sign-in for terminals (rulings, "Own endpoints"). The terminal starts a login, shows a code and polls until a
// person who is signed in to the desk has compared the code and approved or denied the login.

/** Lifetime in days and scope of the token that a login issues. */
export const loginTokenDays = 30
export const loginTokenScope = 'publish'

/** The client's own name for itself, without control and other invisible characters. */
export const loginClientSchema = requiredText(1, 100).regex(
  /^[\p{L}\p{N}\p{P}\p{S} ]*$/u,
  texts.hiddenCharacters,
)

const userCodeSchema = z.string().regex(userCodePattern, texts.userCode)

const startedLoginSchema = z
  .strictObject({
    deviceCode: z.string().describe('The secret with which the terminal polls.'),
    userCode: z.string().describe('Shown in the terminal and in the desk; the person compares them.'),
    confirmUrl: z
      .string()
      .describe(
        'The page in the desk that confirms the login. Without a remote desk it opens only on the computer that runs the registry.',
      ),
    expiresAt: instantSchema,
    intervalSeconds: z.int().describe('The number of seconds to wait between polls.'),
  })
  .meta({ id: 'StartedLogin' })
export type StartedLogin = z.infer<typeof startedLoginSchema>

const loginPersonSchema = z.strictObject({ subject: z.string(), name: z.string().nullable() })

const loginAnswerSchema = z
  .discriminatedUnion('state', [
    z.strictObject({ state: z.literal('waiting') }),
    z.strictObject({ state: z.literal('refused') }),
    z.strictObject({
      state: z.literal('confirmed'),
      token: z.string().describe('The JWT. It is returned only once and not stored.'),
      expiresAt: instantSchema,
      person: loginPersonSchema,
    }),
  ])
  .meta({ id: 'LoginAnswer' })
export type LoginAnswer = z.infer<typeof loginAnswerSchema>

const ownTokenSchema = z
  .strictObject({
    person: z.strictObject({ ...loginPersonSchema.shape, role: z.enum(roles), issuer: z.string() }),
    scope: z.enum(['publish', 'admin']).nullable(),
    label: z.string().nullable().describe('Null for a token from an external issuer.'),
    expiresAt: instantSchema,
  })
  .meta({ id: 'OwnToken' })
export type OwnToken = z.infer<typeof ownTokenSchema>

export const loginRoutes = section('Skilldock', {
  startLogin: route('POST /api/skilldock/logins', 'public', {
    summary: 'Start signing in from a terminal; a person confirms it in the desk within ten minutes',
    rateLimit: 'login',
    body: json(z.strictObject({ client: loginClientSchema })),
    reply: reply(startedLoginSchema, 'The codes that the terminal shows and polls with', 201),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  askLogin: route('POST /api/skilldock/logins/token', 'public', {
    summary: 'Poll a login; after it is confirmed, the token is returned only once',
    rateLimit: 'login',
    body: json(z.strictObject({ deviceCode: z.string().min(1).max(200) })),
    reply: reply(loginAnswerSchema, 'The state of the login'),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  getOwnToken: route('GET /api/skilldock/token', 'person', {
    summary: 'Get the owner, scope and expiry of the token used for this request',
    scope: 'publish',
    reply: reply(ownTokenSchema, 'The token'),
  }),
  endOwnToken: route('DELETE /api/skilldock/token', 'person', {
    summary: 'Revoke the token used for this request',
    scope: 'publish',
    reply: reply(successSchema, 'Revoked'),
    errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
  }),
})

const deskLoginSchema = z
  .strictObject({
    /** The name that the client gave itself. */
    client: z.string(),
    address: z.string(),
    /** Whether the login was started on this computer; `unknown` behind a proxy. */
    place: z.enum(['here', 'elsewhere', 'unknown']),
    startedAt: instantSchema,
    expiresAt: instantSchema,
    /** `taken`: the terminal has received its token. */
    state: z.enum(['waiting', 'confirmed', 'refused', 'taken']),
    /** The person who confirmed or denied it; null while it is waiting. */
    decidedBy: z.strictObject({ ...loginPersonSchema.shape, id: z.int() }).nullable(),
    /** When a token issued now would expire. */
    tokenEndsAt: instantSchema,
    /** The external issuer of the person viewing the login; null if this registry can issue a token to them. */
    foreignIssuer: z.string().nullable(),
  })
  .meta({ id: 'DeskLogin' })
export type DeskLogin = z.infer<typeof deskLoginSchema>

const params = z.object({ userCode: userCodeSchema })
const errors = ['NOT_FOUND', 'TOO_MANY_REQUESTS'] as const
const writeErrors = ['INVALID_TRANSITION', 'VALIDATION_FAILED', ...errors] as const

/** Part of the desk API, for everyone who is signed in. */
export const deskLoginRoutes = {
  getLogin: route('GET /desk/api/logins/{userCode}', 'person', {
    summary: 'Get a login and its state by the code that the terminal shows',
    params,
    reply: reply(deskLoginSchema, 'The login'),
    errors,
  }),
  confirmLogin: route('POST /desk/api/logins/{userCode}/confirm', 'person', {
    summary: 'Confirm a login, which gives the terminal a publish token in your name',
    params,
    reply: reply(deskLoginSchema, 'The login'),
    errors: writeErrors,
  }),
  refuseLogin: route('POST /desk/api/logins/{userCode}/refuse', 'person', {
    summary: 'Deny a login, even one that was confirmed, as long as its token has not been collected',
    params,
    reply: reply(deskLoginSchema, 'The login'),
    errors: writeErrors,
  }),
}
