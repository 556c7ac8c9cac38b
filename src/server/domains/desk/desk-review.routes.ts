import type { deskDecisionRoutes } from '../../../shared/contracts/desk-decisions.ts'
import type { deskReviewRoutes } from '../../../shared/contracts/desk-review.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import type { RegistryReview } from '../../../shared/contracts/releases.ts'
import { replyWithPackage } from '../../http/downloads.ts'
import type { OpenDownload } from '../../http/downloads.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Slots } from '../../http/slots.ts'
import type { DeskQueue } from './desk-queue.service.ts'
import type { DeskReleases } from './desk-release.service.ts'

export interface DeskReviewServices {
  queue: DeskQueue
  deskReleases: DeskReleases
  /** The same ones that the registry's endpoints use. */
  reviews: { reviewRelease(administrator: Administrator, id: number, review: RegistryReview): Promise<void> }
  packages: { open(release: { name: string; version: string; sha256: string }): Promise<OpenDownload> }
  downloadSlots: Slots
}

export function deskReviewHandlers(
  services: DeskReviewServices,
): Handlers<typeof deskReviewRoutes & Pick<typeof deskDecisionRoutes, 'decideRelease'>> {
  const { queue, deskReleases, reviews, packages, downloadSlots } = services
  return {
    listQueue: ({ caller, query }) => queue.listQueue(caller, query),
    getDeskRelease: ({ caller, params }) => deskReleases.getDeskRelease(caller, params.id),
    inspectDeskPackage({ caller, params }) {
      const release = deskReleases.getPackage(caller, params.id)
      return replyWithPackage(downloadSlots, () => packages.open(release))
    },
    async decideRelease({ caller, params, body }) {
      await reviews.reviewRelease(caller, params.id, body)
      return { held: null }
    },
    listDecisions: ({ caller, query }) => deskReleases.listDecisions(caller, query.person, query.offset),
  }
}
