import { z } from 'zod'
import { reply, route, section } from '../route.ts'
import { instantSchema } from './desk-common.ts'

/** Which registry this one copies, and how old the copy is. */
export const mirrorStateSchema = z
  .strictObject({
    of: z.url().describe('The address of the registry.'),
    updatedAt: instantSchema
      .nullable()
      .describe('All revocations until then are known here; null before the first complete run.'),
  })
  .meta({ id: 'MirrorState' })
export type MirrorState = z.infer<typeof mirrorStateSchema>

export const mirrorRoutes = section('Operations', {
  getMirror: route('GET /api/skilldock/mirror', 'public', {
    summary: 'Get which registry this one is a read-only mirror of, and when it was updated',
    reply: reply(
      z.strictObject({ mirror: mirrorStateSchema.nullable() }).meta({ id: 'Mirror' }),
      'The state; null for a registry that is not a mirror',
    ),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
})
