import { z } from 'zod'
import { reply, route, section } from '../route.ts'
import { reviewStatementSchema } from './evidence.ts'
import { releaseParams } from './releases.ts'

/** Types of the payloads that are signed. */
export const statementType = 'application/vnd.in-toto+json'
export const rotationType = 'application/vnd.skilldock.key-rotation+json'

const base64Schema = z.base64().max(1_048_576)

/** A DSSE envelope, version 1, with one signature. */
export const envelopeSchema = z
  .strictObject({
    payload: base64Schema,
    payloadType: z.string().max(100),
    signatures: z.array(z.strictObject({ keyid: z.string().max(100), sig: base64Schema })).length(1),
  })
  .meta({ id: 'DsseEnvelope' })
export type Envelope = z.infer<typeof envelopeSchema>

/** The approval of a release, as an in-toto Statement v1. Other members may follow in later versions. */
export const statementSchema = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  /** The module, as `name@version`. */
  subject: z
    .array(z.object({ name: z.string(), digest: z.object({ sha256: z.string().regex(/^[a-f0-9]{64}$/) }) }))
    .length(1),
  predicateType: z.literal('https://skilldock.example/attestation/review/v1'),
  predicate: z.object({
    /** The address of the registry when it signed. */
    registry: z.url(),
    /** How many people had to approve the release, and whether its publisher was one of them. */
    policy: z.object({ approvals: z.union([z.literal(1), z.literal(2)]), selfApproved: z.boolean() }),
    review: reviewStatementSchema,
  }),
})
export type ApprovalStatement = z.infer<typeof statementSchema>

/** The Ed25519 key that signs a registry's attestations, in base64url. */
export const attestationKeySchema = z.strictObject({
  kid: z.string().min(1).max(100),
  x: z.string().regex(/^[\w-]{43}$/),
})
export type AttestationKey = z.infer<typeof attestationKeySchema>

/** What a key signs about the one that replaces it. */
export const rotationSchema = z.object({
  /** The key that signs this. */
  from: z.string(),
  to: z.object({ kid: z.string(), x: z.string() }),
})
export type KeyRotation = z.infer<typeof rotationSchema>

/** Signed statements about approvals (rulings, "Attestation"). */
export const attestationRoutes = section('Attestations', {
  getAttestation: route('GET /api/skilldock/attestations/{name}/{version}', 'public', {
    summary: 'Get the approval of a release as an in-toto statement in a signed DSSE envelope',
    params: releaseParams,
    reply: reply(
      envelopeSchema,
      `A payload of type ${statementType}, signed with the key of \`/api/skilldock/jwks.json\` whose id begins with \`attest-\``,
    ),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
  listKeyRotations: route('GET /api/skilldock/attestations/rotations', 'public', {
    summary: 'List the keys that signed attestations, each vouching for the next',
    reply: reply(
      z.strictObject({ rotations: z.array(envelopeSchema) }).meta({ id: 'KeyRotations' }),
      `Payloads of type ${rotationType}, oldest first: \`from\` is the key that signs, \`to\` the one that replaces it`,
    ),
  }),
})
