import { reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { idParamsSchema } from './desk-common.ts'

/** For reviewers, on the registry and in the desk. */
export const approvalRoutes = {
  withdrawApproval: route({
    method: 'DELETE',
    path: '/api/skilldock/review/{id}/first-approval',
    tag: 'Skilldock',
    summary: 'Withdraw your first approval of a pending release',
    access: 'reviewer',
    params: idParamsSchema,
    reply: reply(successSchema, 'Withdrawn'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
}
