import { z } from 'zod'
import type { ApprovalStatement } from '../../shared/contracts/attestations.ts'
import type { Deprecation } from '../../shared/contracts/release-states.ts'
import type { ModuleFacts } from '../../shared/contracts/desk-review.ts'
import { personNameSchema } from '../../shared/contracts/people.ts'
import { registryReviewSchema } from '../../shared/contracts/decisions.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { summarize, toIssues } from '../../shared/validation.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { Database } from '../db/database.ts'
import { identityRepository } from '../domains/identity/identity.repository.ts'
import { createReviewService } from '../domains/releases/decisions/review-release.service.ts'
import { releaseStatesRepository } from '../domains/releases/maintenance/release-states.repository.ts'
import { ownersRepository } from '../domains/releases/owners/owners.repository.ts'
import { mirrorIssuer as issuer } from '../domains/releases/records/release-record.rules.ts'
import type { RecordedPerson } from '../domains/releases/records/release-record.rules.ts'
import { releaseRepository } from '../domains/releases/releases.repository.ts'
import { createAddition } from '../verify/add-record.ts'
import { texts } from './mirror.texts.ts'

/** What is stored of a release beyond what its own schema limits. */
const textsSchema = z.object({
  publisher: personNameSchema,
  reviewer: personNameSchema,
  notes: registryReviewSchema.shape.reason,
})

/**
 * Copies of releases, as the services store releases, so that catalog, pages, search and OCI serve them like any other.
 * Everything is called inside a transaction.
 */
export function createCopies(database: Database, host: string) {
  const { writer } = database
  const people = identityRepository(writer)
  const owners = ownersRepository(writer)
  const deprecations = releaseStatesRepository(writer)
  const releases = releaseRepository(writer)
  const add = createAddition(database)
  let now = ''
  const reviews = createReviewService(database, { clock: () => new Date(now) })

  /** People keep their names, but not their ids, which belong to other people here. */
  const personOf = (subject: string, name: string, createdAt: string): RecordedPerson => {
    const found = people.findPerson(issuer, subject)
    const id = found?.id ?? people.insertPerson({ issuer, subject, name, role: 'developer', createdAt })
    return { id, issuer, subject, name, createdAt: found?.createdAt ?? createdAt, removedAt: null }
  }

  return {
    /** Adds a release whose package is stored, and returns its id. Throws a Refusal if it contradicts what is stored. */
    add(release: RegistryVersion, { predicate: { review } }: ApprovalStatement, module: ModuleFacts): number {
      const { id, name, version, sha256, size, createdAt, manifest } = release
      const { notes, decidedAt, evidence, decidedBy: reviewer } = review
      const checked = textsSchema.safeParse({ publisher: release.publisher, reviewer, notes })
      if (!checked.success) throw new Refusal(texts.invalid(summarize(toIssues(checked.error))))
      const owner = personOf(`publisher ${release.ownerId}`, release.publisher, createdAt)
      const period = { person: owner, since: createdAt, addedBy: owner, reason: null }
      const problem = add({
        format: 'skilldock-release',
        formatVersion: 2,
        id,
        name,
        version,
        sha256,
        size,
        createdAt,
        manifest: JSON.stringify(manifest),
        owner,
        owners: owners.isTaken(name, owner.id) ? [{ ...period, endedAt: null, endedBy: null }] : [],
        decisions: [
          {
            action: 'approved',
            reason: notes,
            decidedBy: personOf(`reviewer ${reviewer}`, reviewer, decidedAt),
            decidedAt,
            evidence: evidence === null ? null : JSON.stringify(evidence),
          },
        ],
      })
      if (problem !== null) throw new Refusal(texts.notAdded(problem))
      releases.insertModule(id, JSON.stringify(module))
      return id
    },

    /** Returns the release that is now revoked, as NAME@VERSION. */
    revoke(id: number, at: string): string {
      now = at
      const by = personOf('registry', host, at).id
      const release = reviews.getDecidable(id, 'revoked', by)
      reviews.decide(release, { action: 'revoked', reason: texts.revokedThere(host), by, evidence: null })
      return `${release.name}@${release.version}`
    },

    deprecate(releaseId: number, deprecation: Deprecation | null): void {
      const current = deprecations.findCurrent(releaseId)
      const at = deprecation?.deprecatedAt ?? new Date().toISOString()
      const by = personOf('registry', host, at).id
      if (current !== null) deprecations.withdraw({ id: current.id, by, at })
      if (deprecation === null) return
      const row = { ...deprecation, releaseId, deprecatedBy: by, withdrawnBy: null, withdrawnAt: null }
      deprecations.insertDeprecation(row)
    },
  }
}
