import { releaseRoutes } from '../../../shared/contracts/releases.ts'
import { ListPage } from '../../../shared/list-page.ts'
import { replyWithPackage } from '../../http/downloads.ts'
import type { Handler, Handlers } from '../../http/mount.ts'
import { JsonBytes } from '../../http/replies.ts'
import type { FileReply } from '../../http/replies.ts'
import type { Slots } from '../../http/slots.ts'
import type { CatalogService } from './catalog/catalog.service.ts'
import type { DownloadCounts } from './catalog/download-counts.service.ts'
import type { PackagesService } from './catalog/packages.service.ts'
import type { ReviewService } from './decisions/review-release.service.ts'
import type { SubmissionService } from './submit-release.service.ts'

export interface PublicReleaseServices {
  catalog: CatalogService
  packages: PackagesService
  downloadSlots: Slots
  downloads: Pick<DownloadCounts, 'count'>
}

interface ReleaseServices extends Omit<PublicReleaseServices, 'downloads'> {
  reviews: ReviewService
  takeSubmission: TakeSubmission
}

type PublicReads = 'listSkills' | 'getLatestRelease' | 'getRelease' | 'getManifest' | 'downloadPackage'

type TakeSubmission = Handler<typeof releaseRoutes.submitRelease>

/** The order for every submission: check the quota, take a slot, then receive the body. */
export function createTakeSubmission(submissions: SubmissionService, slots: Slots): TakeSubmission {
  return async ({ caller, grant, clientKey, receive, describeLimit }) => {
    try {
      submissions.assertMaySubmit(caller)
      const releaseSlot = slots.take(clientKey)
      try {
        const { texts, file } = await receive(submissions)
        return await submissions.submitRelease(caller, texts['manifest'] ?? '', file, grant)
      } finally {
        releaseSlot()
      }
    } finally {
      describeLimit(submissions.describeQuota(caller))
    }
  }
}

type Found = ReturnType<PackagesService['findApproved']>

function download(
  { packages, downloadSlots }: Pick<ReleaseServices, 'packages' | 'downloadSlots'>,
  clientKey: string,
  release: Found,
  onSent?: () => void,
): Promise<FileReply> {
  return replyWithPackage(
    () => downloadSlots.take(clientKey),
    () => packages.open(release),
    onSent,
  )
}

const toJson = ({ body, hasMore }: ListPage<Buffer>): ListPage<JsonBytes> =>
  new ListPage(new JsonBytes(body), hasMore)

/** The endpoints of section 4.1 that read approved releases. */
export function publicReleaseHandlers(
  services: PublicReleaseServices,
): Handlers<Pick<typeof releaseRoutes, PublicReads>> {
  const { catalog, packages, downloads } = services
  return {
    listSkills({ query, clientKey }) {
      const page = catalog.listSkills(query, clientKey)
      return page instanceof Promise ? page.then(toJson) : toJson(page)
    },
    getLatestRelease: ({ params }) => new JsonBytes(catalog.getLatestRelease(params.name)),
    getRelease: ({ params }) => new JsonBytes(catalog.getRelease(params.name, params.version)),
    getManifest: ({ params }) => new JsonBytes(catalog.getManifest(params.name, params.version)),
    downloadPackage({ clientKey, params }) {
      const release = packages.findApproved(params.name, params.version)
      return download(services, clientKey, release, () => downloads.count(release.id))
    },
  }
}

/** The other endpoints of section 4.1. */
export function releaseHandlers(
  services: ReleaseServices,
): Handlers<Omit<typeof releaseRoutes, PublicReads>> {
  const { catalog, packages, reviews } = services
  return {
    listOwnReleases: ({ caller, query }) => toJson(catalog.listOwnReleases(caller, query.offset)),
    listReviews: ({ query }) => toJson(catalog.listReviews(query.status, query.offset)),
    inspectPackage: ({ clientKey, params }) =>
      download(services, clientKey, packages.findForInspection(params.name, params.version)),
    submitRelease: services.takeSubmission,

    reviewRelease: ({ caller, params, body }) => reviews.reviewRelease(caller, params.id, body),
  }
}
