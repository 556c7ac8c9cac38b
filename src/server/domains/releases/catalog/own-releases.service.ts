import type { OwnRelease } from '../../../../shared/contracts/desk-own.ts'
import type { Person } from '../../../../shared/contracts/people.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { Database } from '../../../db/database.ts'
import { firstApprovalRepository } from '../decisions/first-approvals.repository.ts'
import { releaseStatesRepository } from '../maintenance/release-states.repository.ts'
import { ownReleaseRepository } from './own-releases.repository.ts'
import { evidenceRepository } from '../decisions/evidence.repository.ts'
import type { Threads } from '../thread/thread.service.ts'
import type { OwnReleaseRow } from './own-releases.repository.ts'
import { createReleaseChecks } from '../checks/release-checks.service.ts'

/** The releases that a person submitted, and those of the names that they own, for the desk and the API. */
export function createOwnReleases(database: Database, threads: Pick<Threads, 'summarize'>) {
  const repository = ownReleaseRepository(database.reader)
  const approvals = firstApprovalRepository(database.reader)
  const evidence = evidenceRepository(database.reader)
  const states = releaseStatesRepository(database.reader)
  const checks = createReleaseChecks(database)

  /** Queue positions from 1. Counts every pending release only once, even if many of these rows are pending. */
  const placesOf = (rows: readonly OwnReleaseRow[]): Map<number, number> => {
    const places = new Map<number, number>()
    const ids = rows.filter(({ status }) => status === 'pending').map(({ id }) => id)
    let before = { id: 0, place: 0 }
    for (const id of ids.toSorted((a, b) => a - b)) {
      before = { id, place: before.place + repository.countPending(before.id, id) }
      places.set(id, before.place)
    }
    return places
  }

  const firstApprovalOf = ({
    id,
    status,
  }: Pick<OwnReleaseRow, 'id' | 'status'>): Pick<OwnRelease, 'firstApproval'> => {
    const first = status === 'pending' ? approvals.find(id) : null
    if (first === null) return {}
    const { personName, approvedBy, approvedAt } = first
    return { firstApproval: { approvedBy: personName ?? `Reviewer ${approvedBy}`, approvedAt } }
  }

  const deprecationOf = ({
    name,
    version,
    status,
  }: Pick<OwnReleaseRow, 'name' | 'version' | 'status'>): Pick<OwnRelease, 'deprecation'> => {
    const deprecation = status === 'approved' ? states.findDeprecation(name, version) : null
    return deprecation === null ? {} : { deprecation }
  }

  return {
    /** Newest first. */
    listOwn(person: Person, offset: number, limit: number): { items: OwnRelease[]; total: number } {
      database.assertAvailable()
      const rows = repository.listOwn({ person: person.id, offset, limit })
      const places = placesOf(rows)
      const waiting = repository.countPending(0, Number.MAX_SAFE_INTEGER)
      const findings = checks.listFindings(rows)
      const rejectedFor = evidence.listRejectedFor(rows)
      const summaries = threads.summarize(rows)
      const items = rows.map(({ ownerId, ownerName, isOwner, ...row }) => ({
        ...row,
        submittedBy: ownerId === person.id ? null : publisherName({ id: ownerId, name: ownerName }),
        ...firstApprovalOf(row),
        ...deprecationOf(row),
        place: places.get(row.id) ?? null,
        waiting,
        findings: findings.get(row.id) ?? [],
        rejectedFor: rejectedFor.get(row.id) ?? null,
        // A former owner can no longer read it.
        thread: isOwner === 1 ? (summaries.get(row.id) ?? null) : null,
      }))
      return { items, total: repository.countOwn({ person: person.id }) }
    },
  }
}

export type OwnReleases = ReturnType<typeof createOwnReleases>
