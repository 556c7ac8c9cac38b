import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { DamagedFileError } from '../../../storage/file-store.ts'
import type { FileStore, NamedFile } from '../../../storage/file-store.ts'
import { releaseRepository } from '../releases.repository.ts'
import type { ReleaseRow } from '../releases.repository.ts'
import { texts } from '../releases.texts.ts'

/** Package downloads. The bytes are checked against the recorded digest before the first one is sent. */
export function createPackagesService(database: Database, files: FileStore) {
  const releases = releaseRepository(database.reader)

  const find = (name: string, version: string): ReleaseRow | null => {
    database.assertAvailable()
    return releases.findByKey(name, version)
  }

  const open = async (release: Pick<ReleaseRow, 'name' | 'version' | 'sha256'>): Promise<NamedFile> => {
    const { name, version, sha256 } = release
    try {
      return { fileName: `${name}-${version}.wasm`, sha256, file: await files.open(sha256) }
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      throw new DomainError('PACKAGE_CORRUPT', texts.catalog.damagedPackage(name, version), {
        retryAfter: 3600,
        cause: error,
      })
    }
  }

  return {
    /** Throws NOT_FOUND unless the release is currently approved (section 1.2). */
    findApproved(name: string, version: string): ReleaseRow {
      const release = find(name, version)
      if (release === null || release.status !== 'approved') {
        throw new DomainError('NOT_FOUND', texts.catalog.notApproved(`${name} ${version}`))
      }
      return release
    },

    /** A release in any status, for inspection. */
    findForInspection(name: string, version: string): ReleaseRow {
      const release = find(name, version)
      if (release === null) throw new DomainError('NOT_FOUND', texts.noReleaseNamed(name, version))
      return release
    },

    open,
  }
}

export type PackagesService = ReturnType<typeof createPackagesService>
