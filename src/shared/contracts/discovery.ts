import { z } from 'zod'
import { document, reply, route } from '../route.ts'

/** Section 2.7, with the values of the rulings. */
export const healthResponseSchema = z
  .object({
    status: z.enum(['ok', 'degraded']),
    service: z.literal('skilldock'),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'HealthResponse' })

const jwkSchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})

/** Section 4.3; the key set is an endpoint of our own (rulings, "Own endpoints"). */
export const discoveryRoutes = {
  getHealth: route({
    method: 'GET',
    path: '/api/health',
    tag: 'Operations',
    summary: 'Tell that the service accepts requests',
    access: 'public',
    reply: reply(healthResponseSchema, 'The service accepts requests'),
    errors: [],
  }),
  getOpenapi: route({
    method: 'GET',
    path: '/openapi.json',
    tag: 'Operations',
    summary: 'Get the OpenAPI 3.1 description of this interface',
    access: 'public',
    reply: document('application/json', 'The description'),
    errors: [],
  }),
}

export const keyRoutes = {
  getSigningKeys: route({
    method: 'GET',
    path: '/api/skilldock/jwks.json',
    tag: 'Identity',
    summary: 'Get the public keys that sign the session tokens of the built-in issuer',
    access: 'public',
    reply: reply(z.object({ keys: z.array(jwkSchema) }).meta({ id: 'JsonWebKeySet' }), 'The key set'),
    errors: [],
  }),
}
