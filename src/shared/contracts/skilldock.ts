import { z } from 'zod'
import { paged, reply, route, section } from '../route.ts'
import { approvalRoutes } from './desk-decisions.ts'
import { pageQuerySchema } from './common.ts'
import { ownReleaseSchema } from './desk-own.ts'
import { reviewStatementSchema } from './evidence.ts'
import { pageSize, releaseParams } from './releases.ts'

/** Registry endpoints that are not in the specification (rulings, "Own endpoints"). */
export const skilldockRoutes = section('Skilldock', {
  ...approvalRoutes,
  listOwnSubmissions: route('GET /api/skilldock/mine', 'person', {
    summary:
      'List your releases and others of your names with status, review notes, findings and queue position, newest first, 50 per page',
    scope: 'publish',
    query: pageQuerySchema,
    reply: paged(
      reply(
        z.strictObject({ items: z.array(ownReleaseSchema), total: z.int() }),
        'A page of your releases, and the total number',
      ),
      pageSize,
    ),
  }),
  getReview: route('GET /api/skilldock/skills/{name}/{version}/review', 'public', {
    summary: 'Get the review statement of an approved release',
    params: releaseParams,
    reply: reply(reviewStatementSchema, 'The decision, who made it, and the evidence'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE', 'PACKAGE_CORRUPT'],
  }),
})
