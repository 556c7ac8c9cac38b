import type { Readable } from 'node:stream'
import type { Person } from '../../../shared/contracts/people.ts'
import { minPackageBytes } from '../../../shared/contracts/releases.ts'
import type { RegistrySubmission } from '../../../shared/contracts/releases.ts'
import type { SkillManifest } from '../../../shared/contracts/manifest.ts'
import type { PublishGrant } from '../../../shared/contracts/trusted-publishers.ts'
import { DomainError } from '../../../shared/errors.ts'
import { parseManifest } from '../../../shared/parse-manifest.ts'
import { summarize } from '../../../shared/validation.ts'
import type { Database } from '../../db/database.ts'
import { createShare } from '../../operations/give-way.ts'
import type { FileStore, ReceivedFile } from '../../storage/file-store.ts'
import type { ValidationResult, WasmValidator } from '../../wasm/wasm-validator.ts'
import { createReleaseChecks } from './checks/release-checks.service.ts'
import type { SeenRegistry } from './checks/release-checks.service.ts'
import { trustedPublishersRepository } from './publishers/trusted-publishers.repository.ts'
import { releaseRepository } from './releases.repository.ts'
import { createRollingLimit, quotaWindowMs, releaseBody } from './releases.rules.ts'
import type { QuotaState } from './releases.rules.ts'
import { texts } from './releases.texts.ts'

/** Milliseconds left to other requests, if there are any, for each one in which submissions occupy the main thread. */
const rest = 4

interface SubmitOptions {
  /** Successful submissions per publisher in any rolling 24 hours. */
  dailySubmissions: number
}

/**
 * Submissions (section 3, first row). The order makes a crash harmless: the bytes are received under a temporary name,
 * everything is checked, the file gets its final name, and only then is the row written. Module and manifest are
 * checked in a helper process, because they can be crafted to take long. `onStale` is called if the registry changed
 * during the checks, so that the stored release must be checked again.
 */
export function createSubmissionService(
  database: Database,
  files: FileStore,
  validator: WasmValidator,
  options: SubmitOptions,
  clock = (): Date => new Date(),
  onStale = (): void => {},
) {
  const reading = releaseRepository(database.reader)
  const writing = releaseRepository(database.writer)
  const trusted = trustedPublishersRepository(database.writer)
  const checks = createReleaseChecks(database, clock)
  const daily = createRollingLimit(quotaWindowMs)
  const share = createShare(rest)

  const readQuota = (releases: typeof reading, person: Person): QuotaState => {
    const quota = options.dailySubmissions
    return daily.read(quota, releases.listSubmissionTimes(person.id, quota), clock())
  }

  const assertQuota = (releases: typeof reading, person: Person): void => {
    if (!releases.hasSubmitted(person.id, options.dailySubmissions)) return
    const { left, seconds } = readQuota(releases, person)
    if (left > 0) return
    throw new DomainError(
      'QUOTA_EXCEEDED',
      texts.submission.dailyLimit(options.dailySubmissions, formatWait(seconds)),
      { retryAfter: seconds },
    )
  }

  const assertFree = (releases: typeof reading, person: Person, manifest: SkillManifest): void => {
    if (releases.isNameTaken(manifest.name, person.id)) {
      throw new DomainError('NAME_TAKEN', texts.submission.nameTaken(manifest.name))
    }
    if (releases.findByKey(manifest.name, manifest.version) !== null) {
      throw new DomainError('VERSION_EXISTS', texts.submission.versionExists(manifest.name, manifest.version))
    }
  }

  /** The provenance of a trusted publisher's release, as JSON; null for a person's own. Throws if it is no longer trusted. */
  const readProvenance = (grant: PublishGrant | null): string | null => {
    if (grant === null) return null
    const found = trusted.findGrant(grant.id)
    if (found?.isActive === 1) return found.provenance
    throw new DomainError('TOKEN_REVOKED', texts.publishers.ended(grant.name))
  }

  const insert = (
    person: Person,
    manifest: SkillManifest,
    file: ReceivedFile,
    checked: Pick<Extract<ValidationResult, { ok: true }>, 'module' | 'findings'>,
    seen: SeenRegistry,
    provenance: string | null,
  ): RegistrySubmission => {
    const { name, version } = manifest
    const createdAt = clock().toISOString()
    const facts = { name, version, sha256: file.sha256, size: file.size, createdAt }
    const text = JSON.stringify(manifest)
    const id = writing.insertRelease({ ...facts, ownerId: person.id }, text)
    if (provenance !== null) trusted.insertProvenance(id, provenance)
    writing.insertModule(id, JSON.stringify(checked.module))
    writing.saveBody(id, releaseBody({ ...facts, id, status: 'pending', reviewReason: null }, text, person))
    if (checks.save(id, { ...checked, findings: checked.findings ?? [], seen })) onStale()
    return { id, status: 'pending', name, version, sha256: file.sha256 }
  }

  return {
    /** Throws QUOTA_EXCEEDED before the body is read. */
    assertMaySubmit(person: Person): void {
      database.assertAvailable()
      assertQuota(reading, person)
    },

    /** What is left of a person's quota, as a response describes it. */
    describeQuota: (person: Person) => ({
      name: 'submissions',
      quota: options.dailySubmissions,
      windowSeconds: quotaWindowMs / 1000,
      ...readQuota(reading, person),
    }),

    receive: (source: Readable): Promise<ReceivedFile> => files.receive(source),
    discard: (file: ReceivedFile): Promise<void> => files.discard(file),

    /**
     * Submits a received package with its manifest. If it throws, the temporary file has been deleted and no file with
     * a final name was changed. With a grant, only a release of its name is accepted.
     */
    async submitRelease(
      person: Person,
      manifestText: string,
      file: ReceivedFile,
      grant: PublishGrant | null = null,
    ): Promise<RegistrySubmission> {
      try {
        const manifest = parseManifest(manifestText)
        if (grant !== null && manifest.name !== grant.name) {
          throw new DomainError('SCOPE_INSUFFICIENT', texts.publishers.otherName(grant.name))
        }
        if (file.size < minPackageBytes) {
          throw new DomainError('INVALID_PACKAGE', texts.submission.tooSmall(file.size, minPackageBytes), {
            issues: [{ path: 'wasm', message: texts.submission.size(file.size) }],
          })
        }
        const seen = await share(() => {
          assertQuota(reading, person)
          assertFree(reading, person, manifest)
          return checks.see({
            id: 0,
            name: manifest.name,
            status: 'pending',
            sha256: file.sha256,
            ownerId: person.id,
          })
        })
        const facts = { manifest, size: file.size, registry: seen.registry, module: null, problem: null }
        const checked = await validator.validate(file.path, facts)
        if (!checked.ok) {
          throw new DomainError(
            'INVALID_PACKAGE',
            texts.submission.invalidModule(
              summarize(checked.problems.map(({ message }) => ({ path: '', message }))),
            ),
            { issues: checked.problems },
          )
        }
        // Checked again after the validation, before the file gets its final name.
        assertQuota(reading, person)
        assertFree(reading, person, manifest)
        database.assertAvailable()
        await files.keep(file)
        return await share(() =>
          database.transact(() => {
            assertQuota(writing, person)
            assertFree(writing, person, manifest)
            return insert(person, manifest, file, checked, seen, readProvenance(grant))
          }),
        )
      } catch (error) {
        await files.discard(file)
        throw error
      }
    },
  }
}

export type SubmissionService = ReturnType<typeof createSubmissionService>

function formatWait(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}
