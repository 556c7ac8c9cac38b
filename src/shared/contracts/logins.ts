import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { userCodePattern } from '../user-code.ts'
import { successSchema } from './common.ts'
import { instantSchema } from './desk-common.ts'
import { roles } from './people.ts'
import { requiredText } from './texts.ts'

// A terminal signs in by a confirmation in the desk (rulings, "Own endpoints"). It starts a login, shows its code,
// and asks until somebody who is signed in at the desk has compared the code and confirmed or refused.

/** Days that the token lasts, and what it is narrowed to. */
export const loginTokenDays = 30
export const loginTokenScope = 'publish'

/** What asks, as it calls itself; nothing in it that is not seen. */
export const loginClientSchema = requiredText(1, 100).regex(
  /^[\p{L}\p{N}\p{P}\p{S} ]*$/u,
  'must hold letters, digits, signs and spaces alone',
)

const userCodeSchema = z.string().regex(userCodePattern, 'must be a code such as BCDF-GHJK')

const startedLoginSchema = z
  .strictObject({
    deviceCode: z.string().describe('Known to the terminal alone; it asks with it.'),
    userCode: z.string().describe('Shown by the terminal and by the desk, to be compared.'),
    confirmUrl: z.string().describe('The page of the desk, on the computer of the registry.'),
    expiresAt: instantSchema,
    intervalSeconds: z.int().describe('To be waited between two questions.'),
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
      token: z.string().describe('The JWT; it is given this once and kept nowhere.'),
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
    label: z.string().nullable().describe('Null for the token of an external issuer.'),
    expiresAt: instantSchema,
  })
  .meta({ id: 'OwnToken' })
export type OwnToken = z.infer<typeof ownTokenSchema>

export const loginRoutes = {
  startLogin: route({
    method: 'POST',
    path: '/api/skilldock/logins',
    tag: 'Skilldock',
    summary: 'Begin to sign a terminal in by a confirmation in the desk, within ten minutes',
    access: 'public',
    body: json(z.strictObject({ client: loginClientSchema })),
    reply: reply(startedLoginSchema, 'What the terminal shows and asks with', 201),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  askLogin: route({
    method: 'POST',
    path: '/api/skilldock/logins/token',
    tag: 'Skilldock',
    summary: 'Ask whether a login was confirmed; the token is given once',
    access: 'public',
    body: json(z.strictObject({ deviceCode: z.string().min(1).max(200) })),
    reply: reply(loginAnswerSchema, 'How the login stands'),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  getOwnToken: route({
    method: 'GET',
    path: '/api/skilldock/token',
    tag: 'Skilldock',
    summary: 'Tell whose the token of this request is, what it may, and until when',
    access: 'person',
    scope: 'publish',
    reply: reply(ownTokenSchema, 'The token'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  endOwnToken: route({
    method: 'DELETE',
    path: '/api/skilldock/token',
    tag: 'Skilldock',
    summary: 'End the token of this request at once',
    access: 'person',
    scope: 'publish',
    reply: reply(successSchema, 'Ended'),
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
}

export const deskLoginSchema = z
  .strictObject({
    /** As it calls itself. */
    client: z.string(),
    address: z.string(),
    /** Whether it came from the computer of the registry; `unknown` where something passes requests on. */
    place: z.enum(['here', 'elsewhere', 'unknown']),
    startedAt: instantSchema,
    expiresAt: instantSchema,
    /** `taken`: the terminal has its token. */
    state: z.enum(['waiting', 'confirmed', 'refused', 'taken']),
    /** Who confirmed or refused it; null while it waits. */
    decidedBy: z.strictObject({ ...loginPersonSchema.shape, id: z.int() }).nullable(),
    /** Until when a token would last that is made now. */
    tokenEndsAt: instantSchema,
    /** The issuer that makes the tokens of whoever looks; null where it is this registry, which can then make one. */
    foreignIssuer: z.string().nullable(),
  })
  .meta({ id: 'DeskLogin' })
export type DeskLogin = z.infer<typeof deskLoginSchema>

const params = z.object({ userCode: userCodeSchema })
const errors = ['NOT_FOUND', 'TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'] as const
const writeErrors = ['INVALID_TRANSITION', 'VALIDATION_FAILED', 'ORIGIN_FORBIDDEN', ...errors] as const

/** Part of the desk's own interface, for everybody who is signed in there. */
export const deskLoginRoutes = {
  getLogin: route({
    method: 'GET',
    path: '/desk/api/logins/{userCode}',
    tag: 'Desk',
    summary: 'Get a login that waits for its confirmation',
    access: 'person',
    params,
    reply: reply(deskLoginSchema, 'The login'),
    errors,
  }),
  confirmLogin: route({
    method: 'POST',
    path: '/desk/api/logins/{userCode}/confirm',
    tag: 'Desk',
    summary: 'Let the terminal have a token for publishing in the name of whoever confirms',
    access: 'person',
    params,
    reply: reply(deskLoginSchema, 'The login'),
    errors: writeErrors,
  }),
  refuseLogin: route({
    method: 'POST',
    path: '/desk/api/logins/{userCode}/refuse',
    tag: 'Desk',
    summary: 'Refuse a login, also one that was confirmed and not picked up yet',
    access: 'person',
    params,
    reply: reply(deskLoginSchema, 'The login'),
    errors: writeErrors,
  }),
}
