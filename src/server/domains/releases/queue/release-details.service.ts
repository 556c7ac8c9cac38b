import type { DeskRelease, StatusCounts } from '../../../../shared/contracts/desk-review.ts'
import type { SelfApproval } from '../../../../shared/settings.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { readJson } from '../../../db/stored-text.ts'
import { DamagedFileError } from '../../../storage/file-store.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import type { DownloadCounts } from '../catalog/download-counts.service.ts'
import { createReleaseChecks } from '../checks/release-checks.service.ts'
import { firstApprovalRepository } from '../decisions/first-approvals.repository.ts'
import type { FirstApprovalRow } from '../decisions/first-approvals.repository.ts'
import type { HeldDecisions } from '../decisions/held-decisions.service.ts'
import type { ReviewStatements } from '../decisions/review-statement.service.ts'
import { releaseHistoryRepository } from '../history/release-history.repository.ts'
import { releaseStatesRepository } from '../maintenance/release-states.repository.ts'
import { readManifest } from '../releases.repository.ts'
import { trustedPublishersRepository } from '../publishers/trusted-publishers.repository.ts'
import { reviewQueueRepository } from './review-queue.repository.ts'
import { releaseDetailsRepository } from './release-details.repository.ts'
import type { ReleaseDetailsRow } from './release-details.repository.ts'
import type { Threads } from '../thread/thread.service.ts'
import { texts } from '../releases.texts.ts'

/** Data about a release that other services provide. */
interface ReleaseDecisions {
  held: Pick<HeldDecisions, 'findHeld'>
  downloads: Pick<DownloadCounts, 'countOf'>
  statements: Pick<ReviewStatements, 'findLast'>
  threads: Pick<Threads, 'readThread'>
  /** The setting `review.selfApproval`. */
  selfApproval(): SelfApproval
  /** The setting `review.approvals`. */
  approvalsNeeded(): number
}

/** All details of a release for review. */
export function createReleaseDetails(database: Database, files: FileStore, deciding: ReleaseDecisions) {
  const repository = releaseDetailsRepository(database.reader)
  const queue = reviewQueueRepository(database.reader)
  const history = releaseHistoryRepository(database.reader)
  const approvals = firstApprovalRepository(database.reader)
  const states = releaseStatesRepository(database.reader)
  const publishers = trustedPublishersRepository(database.reader)
  const checks = createReleaseChecks(database)

  const getRow = (id: number): ReleaseDetailsRow => {
    database.assertAvailable()
    const row = repository.findRelease(id)
    if (row === null) throw new DomainError('NOT_FOUND', texts.noRelease(id))
    return row
  }

  /** Reads the bytes unless they have been checked before. Distinguishes damage from unavailable storage. */
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
    /** The latest decisions of a person, newest first. */
    listDecisionsBy: repository.listDecisionsBy,

    /** For a download. Throws NOT_FOUND. */
    getPackage(id: number): { name: string; version: string; sha256: string } {
      return getRow(id)
    },

    /** Throws NOT_FOUND. */
    async getDeskRelease(reviewer: Reviewer, id: number): Promise<DeskRelease> {
      const state = await packageState(getRow(id).sha256)
      // Everything else is read synchronously, so that status, position and history are consistent.
      const row = getRow(id)
      const { name, version, status, sha256, size, createdAt, reviewReason } = row
      const first = approvals.find(id)
      return {
        id,
        name,
        version,
        status,
        sha256,
        size,
        createdAt,
        reviewReason,
        manifest: readManifest(row, row.manifest),
        module: readJson('release_modules.facts', id, row.facts),
        package: state,
        owner: {
          id: row.ownerId,
          publisher: publisherName({ id: row.ownerId, name: row.ownerName }),
          createdAt: row.ownerCreatedAt,
          releases: toCounts(repository.countOfOwner(row.ownerId)),
          decided: repository.listDecided(row.ownerId),
        },
        checks: checks.findChecks(id, name),
        held: deciding.held.findHeld(id),
        selfApproval: row.ownerId === reviewer.id ? deciding.selfApproval() : null,
        approvalsNeeded: deciding.approvalsNeeded(),
        firstApproval: first === null ? null : toFirstApproval(first),
        provenance: readJson('release_provenance.provenance', id, publishers.findProvenance(id)),
        downloads: deciding.downloads.countOf(id),
        statement: deciding.statements.findLast(id),
        deprecation: status === 'approved' ? states.findDeprecation(name, version) : null,
        thread: deciding.threads.readThread(row),
        place: status === 'pending' ? queue.placeOf(id) : null,
        history: repository.historyOf(id),
        events: history.listOfRelease(id),
        siblings: repository.listSiblings(name, id),
      }
    },
  }
}

export type ReleaseDetails = ReturnType<typeof createReleaseDetails>

function toFirstApproval(row: FirstApprovalRow): DeskRelease['firstApproval'] {
  const { approvedBy: byId, approvedAt, reason: notes } = row
  return { byId, approvedBy: row.personName ?? row.subject, approvedAt, notes }
}

function toCounts(rows: readonly { status: ReleaseStatus; n: number }[]): StatusCounts {
  const counts: StatusCounts = { pending: 0, approved: 0, rejected: 0, revoked: 0 }
  for (const { status, n } of rows) counts[status] = n
  return counts
}
