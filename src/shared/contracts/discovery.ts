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

const checkSchema = z.string().describe('`ok`, or a sentence that says what is wrong and what to do.')

/** What a write needs (rulings, "Health"). */
export const readinessSchema = z
  .strictObject({
    ready: z.boolean().describe('Whether every check is ok.'),
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
    summary: 'Tell that the service accepts requests, and whether writes work (`degraded` where they do not)',
    access: 'public',
    reply: reply(healthResponseSchema, 'The service accepts requests'),
    errors: [],
  }),
  getReadiness: route({
    method: 'GET',
    path: '/api/skilldock/ready',
    tag: 'Operations',
    summary: 'Tell a load balancer whether everything that a write needs works; 503 where something does not',
    access: 'public',
    reply: { ...reply(readinessSchema, 'Ready'), otherStatus: 503 },
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
