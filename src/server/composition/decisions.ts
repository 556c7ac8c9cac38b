import type { Config } from '../settings/config.ts'
import type { Database } from '../db/database.ts'
import { createDeskDecisions } from '../domains/releases/decisions/decide-release.service.ts'
import { createDecisionEvidence } from '../domains/releases/decisions/decision-evidence.service.ts'
import { createDownloadCounts } from '../domains/releases/catalog/download-counts.service.ts'
import { createHeldDecisions } from '../domains/releases/decisions/held-decisions.service.ts'
import type { ReviewService } from '../domains/releases/decisions/review-release.service.ts'
import type { Logger } from '../operations/logging.ts'

interface DecidingParts {
  config: Readonly<Pick<Config, 'undoMs' | 'review.selfApproval' | 'review.approvals'>>
  database: Database
  reviews: ReviewService
  log: Logger
}

/** The services behind decisions: held and lost decisions, evidence and download counts. */
export function createDeciding({ config, database, reviews, log }: DecidingParts) {
  const undoMs = (): number => config.undoMs
  const evidence = createDecisionEvidence(database.writer)
  const held = createHeldDecisions({ database, reviews, evidence, log })
  const downloads = createDownloadCounts(database, log)
  return {
    held,
    downloads,
    decisions: createDeskDecisions({ database, reviews, evidence, held, undoMs }),
    withdrawApproval: reviews.withdrawApproval,
    selfApproval: () => config['review.selfApproval'],
    approvalsNeeded: () => config['review.approvals'],

    /** Carries out held decisions and writes download counts, which are only in memory. Never throws. */
    async settle(): Promise<void> {
      await held.carryOutAll()
      await downloads.flush()
    },
  }
}

export type Deciding = ReturnType<typeof createDeciding>
