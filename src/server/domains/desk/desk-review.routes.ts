import type { deskReviewRoutes } from '../../../shared/contracts/desk-review.ts'
import { replyWithPackage } from '../../http/downloads.ts'
import type { OpenDownload } from '../../http/downloads.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Slots } from '../../http/slots.ts'
import type { DeskQueue } from './desk-queue.service.ts'
import type { DeskReleases } from './desk-release.service.ts'

export interface DeskReviewServices {
  queue: DeskQueue
  deskReleases: DeskReleases
  /** The same one that the registry's endpoints use. */
  packages: { open(release: { name: string; version: string; sha256: string }): Promise<OpenDownload> }
  downloadSlots: Slots
}

export function deskReviewHandlers(services: DeskReviewServices): Handlers<typeof deskReviewRoutes> {
  const { queue, deskReleases, packages, downloadSlots } = services
  return {
    listQueue: ({ caller, query }) => queue.listQueue(caller, query),
    getDeskRelease: ({ caller, params }) => deskReleases.getDeskRelease(caller, params.id),
    inspectDeskPackage({ caller, clientKey, params }) {
      const release = deskReleases.getPackage(caller, params.id)
      return replyWithPackage(
        () => downloadSlots.take(clientKey),
        () => packages.open(release),
      )
    },
  }
}
