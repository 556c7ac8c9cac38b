import { z } from 'zod'
import { document, reply, route, section } from '../route.ts'

/** Section 2.7, with the values from the rulings ("HealthResponse"). */
const healthResponseSchema = z
  .object({
    status: z.enum(['ok', 'degraded']),
    service: z.literal('skilldock'),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'HealthResponse' })

const checkSchema = z.string().describe('`ok`, or what is wrong and how to fix it.')

/** The checks that must pass for writes to work (rulings, "Health"). */
export const readinessSchema = z
  .strictObject({
    ready: z.boolean().describe('Whether every check is `ok`.'),
    checks: z.strictObject({
      databaseWrite: checkSchema,
      storageWrite: checkSchema,
      freeSpace: checkSchema,
      helperProcesses: checkSchema,
    }),
  })
  .meta({ id: 'Readiness' })
export type HealthCheckName = keyof Readiness['checks']
export type Readiness = z.infer<typeof readinessSchema>

/** What tells whether a proxy is trusted, and whether it names its clients. */
export const connectionSchema = z
  .strictObject({
    address: z.string().describe("The client's address, which limits and the audit log use."),
    forwardedFor: z.string().nullable().describe('The `X-Forwarded-For` header as received.'),
  })
  .meta({ id: 'Connection' })

const jwkSchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})

/** Section 4.3. Readiness is not in the specification (rulings, "Own endpoints"). */
export const discoveryRoutes = section('Operations', {
  getHealth: route('GET /api/health', 'public', {
    summary: 'Check that the service accepts requests; the status is `degraded` while writes do not work',
    reply: reply(healthResponseSchema, 'The service is accepting requests'),
  }),
  getReadiness: route('GET /api/skilldock/ready', 'public', {
    summary: 'Check whether writes work, for load balancers: 200 if they do, otherwise 503',
    reply: { ...reply(readinessSchema, 'Every check has passed'), otherStatus: 503 },
  }),
  getConnection: route('GET /api/skilldock/connection', 'public', {
    summary: 'Show where your request comes from as this registry sees it, to check a proxy in front of it',
    reply: reply(connectionSchema, 'The connection'),
  }),
  getOpenapi: route('GET /openapi.json', 'public', {
    summary: 'Get the OpenAPI 3.1 description of this API',
    reply: document('application/json', 'The description'),
  }),
})

export const keyRoutes = section('Identity', {
  getSigningKeys: route('GET /api/skilldock/jwks.json', 'public', {
    summary: "Get the public keys for verifying the built-in issuer's tokens, and attestations (`attest-…`)",
    reply: reply(z.object({ keys: z.array(jwkSchema) }).meta({ id: 'JsonWebKeySet' }), 'The key set'),
  }),
})
