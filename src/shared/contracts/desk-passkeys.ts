import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { accessSchema } from './desk-people.ts'
import { signedInSchema } from './desk-session.ts'
import { labelSchema } from './access-labels.ts'

// Part of the desk API, at the public address only: a passkey belongs to a domain (docs/decisions/026-browser-sign-in.md).

const bytes = (max: number) => z.base64url().min(1).max(max)

/** `AuthenticationResponseJSON` of Web Authentication, level 3. Other members are ignored. */
const assertionSchema = z.object({
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: bytes(100),
  }),
})
export type PasskeyAssertion = z.output<typeof assertionSchema>

/** `RegistrationResponseJSON` of the same. */
const attestationSchema = z.object({
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: bytes(4000), attestationObject: bytes(20_000) }),
})
export type PasskeyAttestation = z.output<typeof attestationSchema>

const challenge = z.base64url().describe('Random; it works once, for five minutes.')

const requestOptionsSchema = z
  .strictObject({ challenge, rpId: z.string(), timeout: z.int(), userVerification: z.literal('required') })
  .meta({ id: 'PasskeyRequestOptions' })
export type PasskeyRequestOptions = z.infer<typeof requestOptionsSchema>

const creationOptionsSchema = z
  .strictObject({
    challenge,
    rp: z.strictObject({ id: z.string(), name: z.string() }),
    user: z.strictObject({ id: z.base64url(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: z.array(z.strictObject({ type: z.literal('public-key'), id: z.base64url() })),
    authenticatorSelection: z.strictObject({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
  })
  .meta({ id: 'PasskeyCreationOptions' })
export type PasskeyCreationOptions = z.infer<typeof creationOptionsSchema>

export const deskPasskeyRoutes = {
  startPasskeySignIn: route('POST /desk/api/session/passkey/challenge', 'public', {
    summary: 'Get the options for navigator.credentials.get(), to sign in with a passkey',
    rateLimit: 'signIn',
    reply: reply(requestOptionsSchema, 'The options'),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  signInWithPasskey: route('POST /desk/api/session/passkey', 'public', {
    summary: 'Sign in with a passkey',
    rateLimit: 'signIn',
    body: json(assertionSchema),
    reply: reply(signedInSchema, 'Signed in'),
    errors: ['NOT_FOUND', 'PASSKEY_REFUSED', 'TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  startAddingPasskey: route('POST /desk/api/own/passkeys/challenge', 'person', {
    summary: 'Get the options for navigator.credentials.create(), to add a passkey',
    reply: reply(creationOptionsSchema, 'The options'),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  addPasskey: route('POST /desk/api/own/passkeys', 'person', {
    summary: 'Add a passkey, with which you can sign in to this desk',
    body: json(z.strictObject({ label: labelSchema, passkey: attestationSchema })),
    reply: reply(accessSchema, 'The passkey', 201),
    errors: ['NOT_FOUND', 'PASSKEY_REFUSED'],
  }),
}
