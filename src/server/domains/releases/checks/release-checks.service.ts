import { isDeepStrictEqual } from 'node:util'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import type { Finding, Growth, JudgedFinding, ReleaseChecks } from '../../../../shared/contracts/findings.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { SkillManifest } from '../../../../shared/contracts/manifest.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import type { RegistryView } from '../../../../shared/findings/define-check.ts'
import { namesNear, skeletonOf } from '../../../../shared/findings/near-name.ts'
import { CHECKS, checksVersion } from '../../../../shared/findings/run-checks.ts'
import type { Database } from '../../../db/database.ts'
import { readJson, readNames } from '../../../db/stored-text.ts'
import { checksRepository } from './checks.repository.ts'
import type { BaseRow, CheckedReleaseRow, ChecksRepository } from './checks.repository.ts'
import { withJudgements } from './checks.rules.ts'
import { growthSince } from './growth.rules.ts'
import { judgementRepository } from './judgements.repository.ts'

/** The release that the checks ask about; its id is 0 before it is stored. */
type CheckSubject = Pick<CheckedReleaseRow, 'id' | 'name' | 'status' | 'sha256' | 'ownerId'>

/** What a release is checked against. */
export interface SeenRegistry {
  registry: RegistryView
  base: BaseRow | null
  /** The version of the database that was read. */
  dataVersion: number
}

/** Checks that only the desk can make, because they need a test run. */
const observedChecks = new Set(CHECKS.filter(({ needs }) => needs.includes('runs')).map(({ id }) => id))
const checkCount = CHECKS.length - observedChecks.size

/** Storing and reading the results of the checks. */
export function createReleaseChecks(
  database: Pick<Database, 'reader' | 'writer'>,
  clock = (): Date => new Date(),
) {
  const reading = checksRepository(database.reader)
  const writing = checksRepository(database.writer)
  const judgements = judgementRepository(database.reader)

  const see = (repository: ChecksRepository, release: CheckSubject): SeenRegistry => {
    // Before everything else, so that a change in between is noticed.
    const dataVersion = reading.dataVersion()
    const base = repository.findBase(release)
    return { registry: viewOf(repository, release, base), base, dataVersion }
  }

  const viewOf = (
    repository: ChecksRepository,
    release: CheckSubject,
    base: BaseRow | null,
  ): RegistryView => {
    const { id, name, sha256, ownerId } = release
    const ownerName = repository.findPersonName(ownerId)
    const shownAs = (row: { ownerId: number; ownerName: string | null }): string =>
      publisherName({ id: row.ownerId, name: row.ownerName })
    return {
      nearNames: repository
        .listNear(namesNear(name, repository.lettersAfter), skeletonOf(name), ownerId)
        .map((row) => ({ name: row.name, publisher: shownAs(row) })),
      publisher: shownAs({ ownerId, ownerName }),
      isPublisherNameShared: ownerName !== null && repository.countShownAs(ownerName, ownerId) > 0,
      sameBytes: repository.listSameBytes(sha256, id).map((row) => ({
        name: row.name,
        version: row.version,
        status: row.status,
        publisher: shownAs(row),
        // A co-owner of the name is no other publisher.
        own: row.ownerId === ownerId || row.name === name,
      })),
      approved: approvedOf(base),
    }
  }

  const manifestOf = (id: number, bytes: Uint8Array): SkillManifest | null =>
    readJson('release_manifests.manifest', id, bytes)
  const importsOf = (id: number, json: string | null): string[] | null =>
    readNames('release_modules.facts', id, json)

  const approvedOf = (base: BaseRow | null): RegistryView['approved'] => {
    const manifest = base === null ? null : manifestOf(base.id, base.manifest)
    if (base === null || manifest === null) return null
    return { version: base.version, manifest, imports: importsOf(base.id, base.imports) }
  }

  const growthOf = (base: BaseRow | null, imports: readonly string[]): Growth =>
    growthSince(base === null ? null : { ...base, imports: importsOf(base.id, base.imports) }, imports)

  const listFindings = (shown: readonly { id: number; name: string }[]): Map<number, JudgedFinding[]> => {
    const names = new Map(shown.map(({ id, name }) => [id, name]))
    const active = new Map(
      judgements
        .listActive([...new Set(names.values())])
        .map(({ name, check: _check, fingerprint, ...judgement }) => [`${name} ${fingerprint}`, judgement]),
    )
    return new Map(
      reading
        .listFindings([...names.keys()])
        .map(({ id, findings }) => [
          id,
          withJudgements(readJson('release_checks.findings', id, findings) ?? [], (fingerprint) =>
            active.get(`${names.get(id) ?? ''} ${fingerprint}`),
          ),
        ]),
    )
  }

  return {
    /** The state of the registry that is relevant for a release. */
    see: (release: CheckSubject): SeenRegistry => see(reading, release),

    /**
     * Inside a transaction that has changed nothing but the release: stores its results. If the registry has changed
     * since `seen` was read, marks the release to be checked again and returns true.
     */
    save(
      id: number,
      checked: { findings: readonly Finding[]; seen: SeenRegistry; module: ModuleFacts | null },
    ): boolean {
      const { seen } = checked
      let now = seen
      // Nothing can have changed without a commit.
      if (reading.dataVersion() !== seen.dataVersion) {
        const release = writing.findRelease(id)
        if (release === null) return false
        now = see(writing, release)
      }
      const isStale = !isDeepStrictEqual(now.registry, seen.registry)
      writing.saveChecks({
        releaseId: id,
        version: checksVersion(),
        checkedAt: clock().toISOString(),
        findings: JSON.stringify(checked.findings),
        growth: JSON.stringify(growthOf(now.base, checked.module?.imports ?? [])),
        stale: isStale ? 1 : 0,
      })
      return isStale
    },

    /**
     * Inside the transaction of a decision, which may change the new capabilities and the findings of pending releases.
     * Updates the former, and returns whether any release must be checked again.
     */
    onDecision(release: Pick<CheckedReleaseRow, 'name' | 'sha256'>, action: ReviewAction): boolean {
      const { name, sha256 } = release
      if (action === 'rejected') return writing.markSameBytes(sha256) > 0
      for (const { id, imports } of writing.listPendingImports(name)) {
        const base = writing.findBase({ name, id, status: 'pending' })
        const growth = JSON.stringify(growthOf(base, importsOf(id, imports) ?? []))
        writing.saveGrowth({ releaseId: id, growth })
      }
      const near = namesNear(name, writing.lettersAfter)
      const marked = writing.markNear([name, ...near], skeletonOf(name))
      return (action === 'revoked' ? writing.markSameBytes(sha256) : 0) + marked > 0
    },

    /**
     * Inside the transaction that changes the owners of a name: returns whether any pending release must be checked
     * again, since its name may now look like another publisher's.
     */
    onOwners: (name: string): boolean =>
      writing.markNear([name, ...namesNear(name, writing.lettersAfter)], skeletonOf(name)) > 0,

    /** The findings of each of these releases, with the active dismissals. */
    listFindings,

    /** The findings that are not dismissed; null if the release was not checked or the results are damaged. */
    listOpen(id: number, name: string): Finding[] | null {
      const findings = listFindings([{ id, name }]).get(id)
      if (findings === undefined) return null
      return findings
        .filter(({ judgement }) => judgement === null)
        .map(({ judgement: _judgement, ...finding }) => finding)
    },

    /** The findings with the active dismissals; null if the release was not checked or the results are damaged. */
    findChecks(id: number, name: string): ReleaseChecks | null {
      const row = reading.findChecks(id)
      if (row === null) return null
      const { version, checkedAt } = row
      const growth: Growth | null = readJson('release_checks.growth', id, row.growth)
      const isReadable = readJson('release_checks.findings', id, row.findings) !== null
      if (growth === null || !isReadable) return null
      const findings = listFindings([{ id, name }]).get(id) ?? []
      const observed = judgements
        .listActive([name])
        .filter(({ check }) => observedChecks.has(check))
        .map(({ name: _name, check: _check, fingerprint, ...judgement }) => ({ fingerprint, judgement }))
      return {
        version,
        count: checkCount,
        checkedAt,
        findings,
        observed,
        growth,
      }
    },
  }
}
