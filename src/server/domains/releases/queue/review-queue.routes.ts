import type { deskReviewRoutes } from '../../../../shared/contracts/desk-review.ts'
import { replyWithPackage } from '../../../http/downloads.ts'
import type { Handlers } from '../../../http/mount.ts'
import type { Slots } from '../../../http/slots.ts'
import type { PackagesService } from '../catalog/packages.service.ts'
import type { ReviewQueue } from './review-queue.service.ts'
import type { ReleaseDetails } from './release-details.service.ts'

interface ReviewQueueServices {
  queue: ReviewQueue
  deskReleases: ReleaseDetails
  /** Shared with the registry's endpoints. */
  packages: Pick<PackagesService, 'open'>
  downloadSlots: Slots
}

export function reviewQueueHandlers(services: ReviewQueueServices): Handlers<typeof deskReviewRoutes> {
  const { queue, deskReleases, packages, downloadSlots } = services
  return {
    listQueue: ({ query }) => queue.listQueue(query),
    getDeskRelease: ({ caller, params }) => deskReleases.getDeskRelease(caller, params.id),
    inspectDeskPackage({ clientKey, params }) {
      const release = deskReleases.getPackage(params.id)
      return replyWithPackage(
        () => downloadSlots.take(clientKey),
        () => packages.open(release),
      )
    },
  }
}
