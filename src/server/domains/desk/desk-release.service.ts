import type { Decision, DeskRelease, ModuleFacts } from '../../../shared/contracts/desk-review.ts'
import { publisherName } from '../../../shared/contracts/people.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import type { SkillManifest } from '../../../shared/contracts/releases.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { DamagedFileError } from '../../storage/file-store.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { createDeskQueueRepository } from './desk-queue.repository.ts'
import { toCounts } from './desk-queue.service.ts'
import { createDeskReleaseRepository } from './desk-release.repository.ts'
import type { DeskReleaseRow } from './desk-release.repository.ts'

/** All that is known of one release, and what was decided. */
export function createDeskReleases(database: Database, files: FileStore) {
  const repository = createDeskReleaseRepository(database.reader)
  const queue = createDeskQueueRepository(database.reader)

  const getRow = (id: number): DeskReleaseRow => {
    database.assertAvailable()
    const row = repository.findRelease(id)
    if (row === null) throw new DomainError('NOT_FOUND', `There is no release with the id ${id}.`)
    return row
  }

  /** Reads the bytes where they were not checked before. Damage is told apart from a storage that is away. */
  const packageState = async (sha256: string): Promise<DeskRelease['package']> => {
    try {
      const file = await files.open(sha256)
      await file.close()
      return 'intact'
    } catch (error) {
      return error instanceof DamagedFileError ? error.damage : 'unavailable'
    }
  }

  return {
    /** For a download. Throws NOT_FOUND. */
    getPackage(_administrator: Administrator, id: number): { name: string; version: string; sha256: string } {
      return getRow(id)
    },

    /** Throws NOT_FOUND. */
    async getDeskRelease(_administrator: Administrator, id: number): Promise<DeskRelease> {
      const state = await packageState(getRow(id).sha256)
      // Everything else in one go, so that status, place and history are of the same moment.
      const row = getRow(id)
      const { name, version, status, sha256, size, createdAt, reviewReason } = row
      return {
        id,
        name,
        version,
        status,
        sha256,
        size,
        createdAt,
        reviewReason,
        manifest: JSON.parse(row.manifest.toString()) as SkillManifest,
        module: row.facts === null ? null : ({ details: null, ...JSON.parse(row.facts) } as ModuleFacts),
        package: state,
        owner: {
          id: row.ownerId,
          subject: row.ownerSubject,
          issuer: row.ownerIssuer,
          publisher: publisherName({ id: row.ownerId, name: row.ownerName }),
          createdAt: row.ownerCreatedAt,
          releases: toCounts(repository.countOfOwner(row.ownerId)),
          decided: [],
        },
        checks: null,
        held: null,
        downloads: 0,
        statement: null,
        place: status === 'pending' ? queue.placeOf(id) : null,
        history: repository.historyOf(id),
        siblings: repository.listSiblings(name, id),
      }
    },

    listDecisions(
      _administrator: Administrator,
      personId: number | undefined,
      offset: number,
    ): { items: Decision[]; total: number } {
      database.assertAvailable()
      return {
        items: repository.listDecisions(personId, offset),
        total: repository.countDecisions(personId),
      }
    },
  }
}

export type DeskReleases = ReturnType<typeof createDeskReleases>
