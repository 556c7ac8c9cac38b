import { z } from 'zod'
import { document, reply, route, section } from '../route.ts'

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

/** Section 4.3. */
export const discoveryRoutes = section('Operations', {
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
