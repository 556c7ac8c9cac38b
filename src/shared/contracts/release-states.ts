import { z } from 'zod'
import { reply, route } from '../route.ts'
import { digestSchema, skillNameSchema, versionSchema } from './releases.ts'

/** What has become of a release that was approved. */
const releaseStateSchema = z
  .strictObject({
    name: skillNameSchema,
    version: versionSchema,
    sha256: digestSchema,
    status: z.enum(['approved', 'revoked']),
    latest: versionSchema
      .nullable()
      .describe('The most recently submitted approved release of the skill; null without one.'),
  })
  .meta({ id: 'ReleaseState' })
export type ReleaseState = z.infer<typeof releaseStateSchema>

/** What has become of releases after their approval (rulings, "Own endpoints"). */
export const releaseStateRoutes = {
  getReleaseState: route({
    method: 'GET',
    path: '/api/skilldock/skills/{name}/{version}/state',
    tag: 'Skilldock',
    summary: 'Get whether a release that was approved has been revoked, and the latest release of the skill',
    access: 'public',
    params: z.object({ name: skillNameSchema, version: versionSchema }),
    reply: reply(releaseStateSchema, 'The state'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
}
