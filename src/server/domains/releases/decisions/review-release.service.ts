import type { SelfApproval } from '../../../../shared/settings.ts'
import type { Evidence } from '../../../../shared/contracts/evidence.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import type { RegistryReview, ReviewAction } from '../../../../shared/contracts/releases.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { damaged, readStoredText } from '../../../db/stored-text.ts'
import { evidenceRepository } from './evidence.repository.ts'
import { heldDecisionRepository } from './held-decisions.repository.ts'
import { createReleaseChecks } from '../checks/release-checks.service.ts'
import { releaseRepository } from '../releases.repository.ts'
import type { ReleaseRow } from '../releases.repository.ts'
import { gramsOf, releaseBody, searchText, statusBefore } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'

export interface OwnerNames {
  /** The display name of a release's owner, read inside the transaction. */
  findName(ownerId: number): string | null
}

export interface NewDecision extends RegistryReview {
  /** Id of the person who decided. */
  by: number
  /** Null for a decision made without the desk. */
  evidence: Evidence | null
}

/**
 * Decisions (section 3). `onStale` is called inside the transaction of a decision if pending releases must be checked
 * again. `selfApproval` returns the current setting `review.selfApproval`.
 */
export function createReviewService(
  database: Database,
  owners: OwnerNames,
  clock = (): Date => new Date(),
  onStale = (): void => {},
  selfApproval = (): SelfApproval => 'allowed',
) {
  const releases = releaseRepository(database.writer)
  const evidence = evidenceRepository(database.writer)
  const held = heldDecisionRepository(database.writer)
  const checks = createReleaseChecks(database, clock)

  const rewriteBody = (release: ReleaseRow): void => {
    const manifest = releases.getManifest(release.id).toString()
    const owner = { id: release.ownerId, name: owners.findName(release.ownerId) }
    releases.saveBody(release.id, releaseBody(release, manifest, owner))
  }

  const index = (release: ReleaseRow, publisher: string): void => {
    const bytes = releases.getManifest(release.id)
    const manifest = readStoredText('manifest', 'release_manifests.manifest', release.id, bytes)
    if (manifest === null) throw damaged('PACKAGE_CORRUPT', `${release.name} ${release.version}`)
    const text = searchText(manifest, publisher)
    releases.insertSearch(release.id, text, gramsOf(text))
  }

  /**
   * Whether this is an approval of the person's own release and the setting forbids it. Rejecting is always allowed.
   */
  const isForbiddenSelfReview = ({ ownerId }: ReleaseRow, action: ReviewAction, by: number): boolean =>
    action === 'approved' && ownerId === by && selfApproval() === 'never'

  /** Inside a transaction. Throws NOT_FOUND, SELF_REVIEW, or INVALID_TRANSITION, which names the last decider. */
  const getDecidable = (id: number, action: ReviewAction, by: number): ReleaseRow => {
    const release = releases.findById(id)
    if (release === null) throw new DomainError('NOT_FOUND', texts.noRelease(id))
    const from = statusBefore(action)
    if (release.status === from) {
      if (!isForbiddenSelfReview(release, action, by)) return release
      throw new DomainError('SELF_REVIEW', texts.decisions.selfReview)
    }
    const decider = releases.findLastDecider(id)
    throw new DomainError('INVALID_TRANSITION', texts.decisions.notDecidable(release, decider, from, action))
  }

  /** Inside a transaction: makes a decision on a release from `getDecidable`. */
  const decide = (release: ReleaseRow, decision: NewDecision): void => {
    const { action, reason } = decision
    releases.updateStatus(release.id, release.status, action, reason)
    const decisionId = releases.insertDecision({
      releaseId: release.id,
      action,
      reason,
      decidedBy: decision.by,
      decidedAt: clock().toISOString(),
    })
    if (decision.evidence !== null) evidence.insert(decisionId, JSON.stringify(decision.evidence))
    rewriteBody({ ...release, status: action, reviewReason: reason })
    if (action === 'approved') {
      index(release, publisherName({ id: release.ownerId, name: owners.findName(release.ownerId) }))
    }
    if (action === 'revoked') releases.deleteSearch(release.id)
    if (checks.onDecision(release, action)) onStale()
  }

  return {
    getDecidable,
    isForbiddenSelfReview,
    decide,

    /**
     * A decision through the API, without evidence. It overrides a held decision. Throws NOT_FOUND, SELF_REVIEW, or
     * INVALID_TRANSITION, including for the second of two reviewers.
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
