import type { ociRoutes } from '../../../../shared/contracts/oci.ts'
import type { ArtifactPart } from '../../../../shared/oci-artifact.ts'
import { replyWithPackage } from '../../../http/downloads.ts'
import type { Handlers } from '../../../http/mount.ts'
import { WithHeaders } from '../../../http/replies.ts'
import type { PublicReleaseServices } from '../releases.routes.ts'
import type { OciService } from './oci.service.ts'

const emptyIndex = Buffer.from(
  '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}',
)

const digestHeader = (digest: string) => ({ 'Docker-Content-Digest': digest })

/** `no-store`, since an approval can end at any time. */
const replyWith = ({ bytes, digest }: ArtifactPart): WithHeaders<Buffer> =>
  new WithHeaders(Buffer.from(bytes), { 'Cache-Control': 'no-store', ...digestHeader(digest) })

/** The endpoints for OCI clients. */
export function ociHandlers(
  oci: OciService,
  { packages, downloadSlots, downloads }: Omit<PublicReleaseServices, 'catalog'>,
): Handlers<typeof ociRoutes> {
  return {
    checkOciApi: () => ({}),

    listTags({ params: { name }, query: { n, last } }) {
      const { tags, hasMore } = oci.listTags(name, n, last)
      const next = `</v2/${name}/tags/list?n=${n}&last=${tags.at(-1) ?? ''}>; rel="next"`
      return new WithHeaders({ name, tags }, hasMore ? { Link: next } : {})
    },

    getOciManifest: ({ params }) => replyWith(oci.getManifest(params.name, params.reference)),

    async getBlob({ params: { name, digest }, clientKey }) {
      const blob = oci.findBlob(name, digest)
      if ('config' in blob) return replyWith(blob.config)
      const { release } = blob
      const file = await replyWithPackage(
        () => downloadSlots.take(clientKey),
        () => packages.open(release),
        () => downloads.count(release.id),
      )
      const headers = { ...file.headers, ...digestHeader(digest) }
      return { ...file, mediaType: 'application/octet-stream', headers }
    },

    listReferrers({ params: { name, digest } }) {
      oci.assertReferable(name, digest)
      return emptyIndex
    },
  }
}
