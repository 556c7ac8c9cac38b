import { z } from 'zod'
import { reply, route, section } from '../route.ts'

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

/** Section 4.3. Readiness is not in the specification (rulings, "Own endpoints"). */
export const healthRoutes = section('Operations', {
  getHealth: route('GET /api/health', 'public', {
    summary: 'Check that the service accepts requests; the status is `degraded` while writes do not work',
    reply: reply(healthResponseSchema, 'The service is accepting requests'),
  }),
  getReadiness: route('GET /api/skilldock/ready', 'public', {
    summary: 'Check whether writes work, for load balancers: 200 if they do, otherwise 503',
    reply: { ...reply(readinessSchema, 'Every check has passed'), otherStatus: 503 },
  }),
})
