import type { SelfApproval } from '../../../../shared/settings.ts'
import type { Evidence } from '../../../../shared/contracts/evidence.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import type { RegistryReview, ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { evidenceRepository } from './evidence.repository.ts'
import { firstApprovalRepository } from './first-approvals.repository.ts'
import { heldDecisionRepository } from './held-decisions.repository.ts'
import { createReleaseChecks } from '../checks/release-checks.service.ts'
import { readManifest, releaseRepository } from '../releases.repository.ts'
import type { ReleaseRow } from '../releases.repository.ts'
import { gramsOf, releaseBody, searchText, statusBefore } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'

/** The settings `review.selfApproval` and `review.approvals`. */
interface ReviewPolicy {
  selfApproval: SelfApproval
  approvals: number
}

interface NewDecision extends RegistryReview {
  /** Id of the person who decided. */
  by: number
  /** Null for a decision made without the desk. */
  evidence: Evidence | null
  /** For a revocation: whether its advisory contains the reason. By default, it does not. */
  publishReason?: boolean | undefined
}

interface ReviewOptions {
  clock?(): Date
  /** Called inside the transaction of a decision if pending releases must be checked again. */
  onStale?(): void
  /** Returns the current settings. */
  policy?(): ReviewPolicy
}

/** Decisions (section 3). */
export function createReviewService(
  database: Database,
  {
    clock = () => new Date(),
    onStale = () => {},
    policy = () => ({ selfApproval: 'allowed', approvals: 1 }),
  }: ReviewOptions = {},
) {
  const releases = releaseRepository(database.writer)
  const evidence = evidenceRepository(database.writer)
  const held = heldDecisionRepository(database.writer)
  const firstApprovals = firstApprovalRepository(database.writer)
  const checks = createReleaseChecks(database, clock)

  const rewriteBody = (release: ReleaseRow): void => {
    const manifest = releases.getManifest(release.id).toString()
    releases.saveBody(release.id, releaseBody(release, manifest, releases.getOwner(release.ownerId)))
  }

  const index = (release: ReleaseRow, publisher: string): void => {
    const text = searchText(readManifest(release, releases.getManifest(release.id)), publisher)
    releases.insertSearch(release.id, text, gramsOf(text))
  }

  /**
   * Inside a transaction: why the review policy does not allow the person this decision, or null. Only approvals are
   * restricted: of the person's own release, and a second one by the same person.
   */
  const findRefusal = (release: ReleaseRow, action: ReviewAction, by: number): DomainError | null => {
    if (action !== 'approved') return null
    const { selfApproval, approvals } = policy()
    if (release.ownerId === by && selfApproval === 'never') {
      return new DomainError('SELF_REVIEW', texts.decisions.selfReview)
    }
    const isSecond = approvals === 2 && firstApprovals.find(release.id)?.approvedBy === by
    return isSecond ? new DomainError('INVALID_TRANSITION', texts.approvals.sameReviewer(release)) : null
  }

  /** Inside a transaction. Throws NOT_FOUND, SELF_REVIEW, or INVALID_TRANSITION, which names the last decider. */
  const getDecidable = (id: number, action: ReviewAction, by: number): ReleaseRow => {
    const release = releases.findById(id)
    if (release === null) throw new DomainError('NOT_FOUND', texts.noRelease(id))
    const from = statusBefore(action)
    if (release.status === from) {
      const refusal = findRefusal(release, action, by)
      if (refusal === null) return release
      throw refusal
    }
    const decider = releases.findLastDecider(id)
    throw new DomainError('INVALID_TRANSITION', texts.decisions.notDecidable(release, decider, from, action))
  }

  /**
   * Inside a transaction: makes a decision on a release from `getDecidable`. The first of two necessary approvals is only
   * recorded.
   */
  const decide = (release: ReleaseRow, decision: NewDecision): void => {
    const { action, reason } = decision
    if (action === 'approved' && policy().approvals === 2 && firstApprovals.find(release.id) === null) {
      firstApprovals.insert({
        releaseId: release.id,
        reason,
        approvedBy: decision.by,
        approvedAt: clock().toISOString(),
        evidence: decision.evidence === null ? null : JSON.stringify(decision.evidence),
      })
      return
    }
    releases.updateStatus({ id: release.id, status: action, reviewReason: reason })
    const decisionId = releases.insertDecision({
      releaseId: release.id,
      action,
      reason,
      decidedBy: decision.by,
      decidedAt: clock().toISOString(),
    })
    if (decision.evidence !== null) evidence.insert(decisionId, JSON.stringify(decision.evidence))
    if (action === 'rejected') {
      const open = checks.listOpen(release.id, release.name)
      if (open !== null) evidence.insertFindings(decisionId, JSON.stringify(open))
    }
    rewriteBody({ ...release, status: action, reviewReason: reason })
    if (action === 'approved') {
      index(release, publisherName(releases.getOwner(release.ownerId)))
    }
    if (action === 'revoked') {
      releases.deleteSearch(release.id)
      if (decision.publishReason === true) releases.publishReason(decisionId)
    }
    if (checks.onDecision(release, action)) onStale()
  }

  return {
    getDecidable,
    findRefusal,
    decide,

    /**
     * Withdraws the person's first approval. Throws NOT_FOUND, INVALID_TRANSITION without one, and FORBIDDEN for
     * another person's.
     */
    withdrawApproval(reviewer: Reviewer, id: number): Promise<void> {
      return database.transact(() => {
        const release = releases.findById(id)
        if (release === null) throw new DomainError('NOT_FOUND', texts.noRelease(id))
        const first = release.status === 'pending' ? firstApprovals.find(id) : null
        if (first === null) throw new DomainError('INVALID_TRANSITION', texts.approvals.none(release))
        if (first.approvedBy !== reviewer.id) {
          throw new DomainError('FORBIDDEN', texts.approvals.others(first.personName ?? first.subject))
        }
        firstApprovals.withdraw({ id: first.id, at: clock().toISOString() })
      })
    },

    /**
     * A decision through the API, without evidence. It overrides a held decision, and may be the first of two
     * approvals. Throws NOT_FOUND, SELF_REVIEW, or INVALID_TRANSITION, including for the second of two reviewers.
     */
    reviewRelease(reviewer: Reviewer, id: number, review: RegistryReview): Promise<void> {
      return database.transact(() => {
        decide(getDecidable(id, review.action, reviewer.id), {
          ...review,
          by: reviewer.id,
          evidence: null,
        })
        held.lose(id, 'overtaken')
      })
    },

    /** Inside the transaction that renames a person: updates their releases and the search index. */
    rewritePublisher(ownerId: number, publisher: string): void {
      for (const release of releases.listOfOwner(ownerId)) {
        rewriteBody(release)
        if (release.status !== 'approved') continue
        releases.deleteSearch(release.id)
        index(release, publisher)
      }
    },
  }
}

export type ReviewService = ReturnType<typeof createReviewService>
