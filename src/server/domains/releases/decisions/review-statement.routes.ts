import type { skilldockRoutes } from '../../../../shared/contracts/skilldock.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { ReviewStatements } from './review-statement.service.ts'

/** The public review statements. */
export function reviewStatementHandlers(
  statements: ReviewStatements,
): Handlers<Pick<typeof skilldockRoutes, 'getReview'>> {
  return {
    getReview: ({ params }) => statements.getReview(params.name, params.version),
  }
}
