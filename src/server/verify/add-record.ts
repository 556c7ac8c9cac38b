import type { Evidence } from '../../shared/contracts/evidence.ts'
import { DomainError } from '../../shared/errors.ts'
import { parseStoredManifest } from '../../shared/parse-manifest.ts'
import { publisherName } from '../../shared/publisher-name.ts'
import type { Database } from '../db/database.ts'
import { identityRepository } from '../domains/identity/identity.repository.ts'
import type { PersonRow } from '../domains/identity/identity.repository.ts'
import { firstApprovalRepository } from '../domains/releases/decisions/first-approvals.repository.ts'
import { createReviewService } from '../domains/releases/decisions/review-release.service.ts'
import { verifyReleasesRepository } from '../domains/releases/history/verify-releases.repository.ts'
import { verifyRelease } from '../domains/releases/history/verify-release.rules.ts'
import { releaseStatesRepository } from '../domains/releases/maintenance/release-states.repository.ts'
import { trustedPublishersRepository } from '../domains/releases/publishers/trusted-publishers.repository.ts'
import { ownersRepository } from '../domains/releases/owners/owners.repository.ts'
import type {
  RecordedOwner,
  RecordedPerson,
  ReleaseRecord,
} from '../domains/releases/records/release-record.rules.ts'
import { releaseRepository } from '../domains/releases/releases.repository.ts'
import { releaseBody } from '../domains/releases/releases.rules.ts'
import { isSqliteError } from './run-checks.ts'
import { rebuildTexts as texts } from './rebuild.texts.ts'

/** A record that contradicts what is stored already. */
class Contradiction extends Error {
  override readonly name = 'Contradiction'
}

/** Adds a release with its owner and its decisions inside a transaction, or returns why that is not possible. */
export function createAddition(database: Database): (record: ReleaseRecord) => string | null {
  const { writer } = database
  const people = identityRepository(writer)
  const releases = releaseRepository(writer)
  const rows = verifyReleasesRepository(writer)
  const approvals = firstApprovalRepository(writer)
  const owners = ownersRepository(writer)
  const deprecations = releaseStatesRepository(writer)
  const publishers = trustedPublishersRepository(writer)
  let now = ''
  const reviews = createReviewService(database, { clock: () => new Date(now) })

  const findOrInsert = ({ id, issuer, subject, createdAt }: RecordedPerson): PersonRow => {
    const existing = people.findPersonById(id) ?? people.findPerson(issuer, subject)
    if (existing === null) {
      const person = { id, issuer, subject, name: null, role: 'developer', createdAt } as const
      people.insertPerson(person)
      return { ...person, removedAt: null }
    }
    if (existing.id === id && existing.issuer === issuer && existing.subject === subject) return existing
    throw new Contradiction(texts.record.twoPeople(id))
  }

  const addPerson = (recorded: RecordedPerson): void => {
    const { name, removedAt } = recorded
    const person = findOrInsert(recorded)
    if (person.name === name && person.removedAt === removedAt) return
    people.updatePerson({ ...person, name, removedAt })
    reviews.rewritePublisher(person.id, publisherName({ id: person.id, name }))
  }

  /**
   * Records of one name may be of different times. Ownership that ended never comes back, so what has ended according to
   * any of them has ended.
   */
  const addOwner = (name: string, owner: RecordedOwner): void => {
    const { person, addedBy, endedBy, ...period } = owner
    for (const one of [person, addedBy, ...(endedBy === null ? [] : [endedBy])]) addPerson(one)
    const existing = owners.findPeriod(name, person.id, period.since)
    if (existing === null) {
      const ids = { personId: person.id, addedBy: addedBy.id, endedBy: endedBy?.id ?? null }
      owners.insertPeriod({ name, ...period, ...ids })
    } else if (existing.endedAt === null && period.endedAt !== null && endedBy !== null) {
      owners.endPeriod({ name, person: person.id, at: period.endedAt, by: endedBy.id })
    }
  }

  const addRelease = ({
    owner,
    owners: recordedOwners,
    firstApprovals = [],
    provenance,
    decisions,
    deprecations: recordedDeprecations = [],
    ...record
  }: ReleaseRecord): void => {
    const { id, name, manifest } = record
    addPerson(owner)
    parseStoredManifest(manifest)
    releases.insertName({ name, ownerId: owner.id })
    for (const one of recordedOwners) addOwner(name, one)
    releases.insertRelease({ ...record, ownerId: owner.id }, manifest)
    releases.saveBody(id, releaseBody({ ...record, status: 'pending', reviewReason: null }, manifest, owner))
    if (provenance !== undefined) publishers.insertProvenance(id, JSON.stringify(provenance))
    for (const { approvedBy, withdrawnAt, ...approval } of firstApprovals) {
      addPerson(approvedBy)
      approvals.insert({ ...approval, releaseId: id, approvedBy: approvedBy.id }, withdrawnAt)
    }
    for (const { decidedBy, decidedAt, evidence, ...decision } of decisions) {
      now = decidedAt
      addPerson(decidedBy)
      reviews.decide(reviews.getDecidable(id, decision.action, decidedBy.id), {
        ...decision,
        by: decidedBy.id,
        evidence: evidence === null ? null : (JSON.parse(evidence) as Evidence),
      })
    }
    for (const { deprecatedBy, withdrawnBy, ...deprecation } of recordedDeprecations) {
      for (const one of [deprecatedBy, withdrawnBy]) if (one !== null) addPerson(one)
      deprecations.insertDeprecation({
        ...deprecation,
        releaseId: id,
        deprecatedBy: deprecatedBy.id,
        withdrawnBy: withdrawnBy?.id ?? null,
      })
    }
    const [problem] = rows.listReleases(id - 1, 1).flatMap(verifyRelease)
    if (problem !== undefined) throw new Contradiction(problem.problem)
  }
  const addOrRollBack = writer.transaction(addRelease)

  return (record) => {
    try {
      addOrRollBack(record)
      return null
    } catch (error) {
      const isExpected =
        error instanceof Contradiction || error instanceof DomainError || isSqliteError(error)
      if (!isExpected) throw error
      return texts.record.contradiction(`${record.name} ${record.version}`, error.message)
    }
  }
}
