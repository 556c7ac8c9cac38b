import { z } from 'zod'
import { reply, route } from '../route.ts'
import { pageQuerySchema } from './common.ts'
import { ownReleaseSchema } from './desk-own.ts'
import { reviewStatementSchema } from './evidence.ts'
import { skillNameSchema, versionSchema } from './releases.ts'

/** What the registry offers beyond the specification (rulings, "Own endpoints"). */
export const skilldockRoutes = {
  listOwnSubmissions: route({
    method: 'GET',
    path: '/api/skilldock/mine',
    tag: 'Skilldock',
    summary:
      'List the own releases with status, notes, findings and place in the queue, newest first, 50 a page',
    access: 'person',
    scope: 'publish',
    query: pageQuerySchema,
    reply: reply(
      z.strictObject({ items: z.array(ownReleaseSchema), total: z.int() }),
      'A page, and how many there are',
    ),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  getReview: route({
    method: 'GET',
    path: '/api/skilldock/skills/{name}/{version}/review',
    tag: 'Skilldock',
    summary: 'Get the statement of the review of an approved release',
    access: 'public',
    params: z.object({ name: skillNameSchema, version: versionSchema }),
    reply: reply(reviewStatementSchema, 'What was decided, by whom, and on what evidence'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
}
