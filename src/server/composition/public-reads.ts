import { createClientFiles } from '../domains/discovery/client-files.service.ts'
import { clientHandlers } from '../domains/discovery/client.routes.ts'
import { mcpHandlers } from '../domains/discovery/mcp.routes.ts'
import { keyHandlers } from '../domains/identity/identity.routes.ts'
import type { PublicKey } from '../domains/identity/identity.routes.ts'
import { createCatalogService } from '../domains/releases/catalog/catalog.service.ts'
import type { DownloadCounts } from '../domains/releases/catalog/download-counts.service.ts'
import { createPackagesService } from '../domains/releases/catalog/packages.service.ts'
import { createPublicCatalog } from '../domains/releases/catalog/public-catalog.service.ts'
import { mirrorHandlers } from '../domains/releases/mirror/mirror.routes.ts'
import { createMirror } from '../domains/releases/mirror/mirror.service.ts'
import { ociHandlers } from '../domains/releases/oci/oci.routes.ts'
import { createOciService } from '../domains/releases/oci/oci.service.ts'
import { reviewStatementHandlers } from '../domains/releases/decisions/review-statement.routes.ts'
import { createReviewStatements } from '../domains/releases/decisions/review-statement.service.ts'
import { releaseStateHandlers } from '../domains/releases/maintenance/release-states.routes.ts'
import { createReleaseStates } from '../domains/releases/maintenance/release-states.service.ts'
import { publicOwnerHandlers } from '../domains/releases/owners/owners.routes.ts'
import { createPublicOwners } from '../domains/releases/owners/owners.service.ts'
import { publicReleaseHandlers } from '../domains/releases/releases.routes.ts'
import { createImageLibrary } from '../domains/uploads/image-library.service.ts'
import { createMutex } from '../domains/uploads/mutex.rules.ts'
import { servedImageHandlers } from '../domains/uploads/uploads.routes.ts'
import { createSlots } from '../http/slots.ts'
import { createPages } from '../pages/pages.routes.ts'
import type { Config } from '../settings/config.ts'
import { createPublicContent } from './content.ts'
import type { ServerParts } from './server-parts.ts'

/** Concurrent searches that take more than one step. */
const longSearches = 16

type SharedParts =
  | 'database'
  | 'files'
  | 'imageFiles'
  | 'markdown'
  | 'publicUrl'
  | 'deskFolder'
  | 'clientFolder'

export interface ReadParts extends Pick<ServerParts, SharedParts> {
  config: Readonly<Pick<Config, 'downloadConcurrency' | 'securityContact'>>
  publicKeys(): readonly PublicKey[]
  downloads: Pick<DownloadCounts, 'count'>
  /** How many processes answer reads; each gets this part of the limits. */
  processes: number
}

/** Everything that answers public reads from the data folder alone, without writing to it. */
export function createPublicReads(parts: ReadParts) {
  const { database, files, imageFiles, config, downloads, processes } = parts
  const share = (limit: number): number => Math.max(1, Math.floor(limit / processes))
  const downloadSlots = createSlots(() => share(config.downloadConcurrency), 'downloads')
  const packages = createPackagesService(database, files)
  const catalog = createCatalogService(
    database,
    createSlots(() => share(longSearches), 'long searches'),
  )
  const mirror = createMirror(database)
  const statements = createReviewStatements(database, mirror)
  const states = createReleaseStates(database, mirror)
  const owners = createPublicOwners(database)
  const content = createPublicContent({ ...parts, catalog, statements, owners, states })
  const runExclusive = createMutex()
  const library = createImageLibrary({ database, imageFiles, runExclusive })
  const publicCatalog = createPublicCatalog(database, catalog)
  const pages = createPages({
    ...parts,
    ...content,
    catalog: publicCatalog,
    statements,
    owners,
    readMirror: mirror.read,
  })
  return {
    mirror,
    catalog,
    packages,
    downloadSlots,
    statements,
    content,
    library,
    runExclusive,
    pages,
    handlers: {
      releases: publicReleaseHandlers({ catalog, packages, downloadSlots, downloads }),
      oci: ociHandlers(createOciService(database), { packages, downloadSlots, downloads }),
      documents: content.handlers,
      mcp: mcpHandlers({
        catalog: publicCatalog,
        statements,
        documents: content.documents,
        publicUrl: parts.publicUrl,
      }),
      uploads: servedImageHandlers(library),
      keys: keyHandlers(() => mirror.replaceKeys(parts.publicKeys())),
      mirror: mirrorHandlers(mirror),
      skilldock: reviewStatementHandlers(statements),
      releaseStates: releaseStateHandlers(states),
      owners: publicOwnerHandlers(owners),
      client: clientHandlers(createClientFiles(parts)),
      pages: pages.handlers,
    },
  }
}
