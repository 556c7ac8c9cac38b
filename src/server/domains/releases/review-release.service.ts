import { publisherName } from '../../../shared/contracts/people.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import type { RegistryReview, SkillManifest } from '../../../shared/contracts/releases.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { createReleaseRepository } from './releases.repository.ts'
import type { ReleaseRow } from './releases.repository.ts'
import { gramsOf, releaseBody, searchText, statusBefore } from './releases.rules.ts'

export interface OwnerNames {
  /** The display name of a release's owner, read inside the transaction. */
  findName(ownerId: number): string | null
}

/** Decisions (section 3). */
export function createReviewService(database: Database, owners: OwnerNames, clock = (): Date => new Date()) {
  const releases = createReleaseRepository(database.writer)

  const rewriteBody = (release: ReleaseRow): void => {
    const manifest = releases.getManifest(release.id).toString()
    const owner = { id: release.ownerId, name: owners.findName(release.ownerId) }
    releases.saveBody(release.id, releaseBody(release, manifest, owner))
  }

  const index = (release: ReleaseRow, publisher: string): void => {
    const manifest = JSON.parse(releases.getManifest(release.id).toString()) as SkillManifest
    const text = searchText(manifest, publisher)
    releases.insertSearch(release.id, text, gramsOf(text))
  }

  return {
    /** Throws NOT_FOUND, or INVALID_TRANSITION also for the second of two administrators. */
    reviewRelease(administrator: Administrator, id: number, review: RegistryReview): Promise<void> {
      return database.transact(() => {
        const release = releases.findById(id)
        if (release === null) throw new DomainError('NOT_FOUND', `There is no release with the id ${id}.`)
        const from = statusBefore(review.action)
        if (!releases.updateStatus(id, from, review.action, review.reason)) {
          throw new DomainError(
            'INVALID_TRANSITION',
            `${release.name} ${release.version} is ${release.status}; only a release that is ${from} can be ${review.action}.`,
          )
        }
        releases.insertDecision({
          releaseId: id,
          action: review.action,
          reason: review.reason,
          decidedBy: administrator.id,
          decidedAt: clock().toISOString(),
        })
        rewriteBody({ ...release, status: review.action, reviewReason: review.reason })
        if (review.action === 'approved') {
          index(release, publisherName({ id: release.ownerId, name: owners.findName(release.ownerId) }))
        }
        if (review.action === 'revoked') releases.deleteSearch(id)
      })
    },

    /** Inside the transaction that renames a person: what their releases show and are found by. */
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
