import { parseStoredManifest } from '../../shared/manifest.ts'
import type { Connection } from '../db/database.ts'
import { auditRepository } from '../domains/releases/history/audit.repository.ts'
import { auditRelease, manifestInBody, searchTextOf } from '../domains/releases/history/audit.rules.ts'
import type { AuditedRelease, DerivedPart } from '../domains/releases/history/audit.rules.ts'
import { checksRepository } from '../domains/releases/checks/checks.repository.ts'
import { releaseRepository } from '../domains/releases/releases.repository.ts'
import { gramsOf, releaseBody } from '../domains/releases/releases.rules.ts'
import type { Check } from './check.ts'
import { rowsInPages } from './pages.ts'

/** Each release with its manifest, stored answer, searchable text and decisions. */
export const releasesCheck: Check = {
  name: 'releases',
  *find({ connection, onProgress }) {
    const audit = auditRepository(connection)
    const rebuild = createRebuild(connection)
    const say = { what: 'releases', count: audit.count().releases, onProgress }
    for (const release of rowsInPages(audit.listReleases, say)) {
      for (const { problem, derived } of auditRelease(release)) {
        const sentence = `${release.name} ${release.version}: ${problem}`
        yield derived === null
          ? { problem: sentence }
          : { problem: sentence, repair: () => rebuild(release, derived) }
      }
    }
  },
}

function createRebuild(connection: Connection): (release: AuditedRelease, part: DerivedPart) => void {
  const audit = auditRepository(connection)
  const releases = releaseRepository(connection)
  const rebuild = (release: AuditedRelease, part: DerivedPart): void => {
    const { id, ownerId, ownerName } = release
    if (part === 'last decision') {
      audit.noteLastDecision(id)
      return
    }
    if (part === 'manifest') {
      releases.saveManifest(id, manifestInBody(release) ?? '')
      rebuild(release, 'body')
      rebuild(release, 'search')
      return
    }
    const manifest = releases.getManifest(id).toString()
    if (part === 'body') {
      releases.saveBody(id, releaseBody(release, manifest, { id: ownerId, name: ownerName }))
      return
    }
    const text = searchTextOf(release, parseStoredManifest(manifest))
    releases.deleteSearch(id)
    if (text !== null) releases.insertSearch(id, text, gramsOf(text))
  }
  return rebuild
}

/** Releases that are counted at once. */
const releasesAtOnce = 500

/**
 * The counts of open findings that the queue shows, against findings and dismissals. Either may be what was changed, so
 * the release is checked again.
 */
export const findingCountsCheck: Check = {
  name: 'finding counts',
  *find({ connection, onProgress }) {
    const checks = checksRepository(connection)
    const last = checks.lastId()
    for (let from = 0; from < last; from += releasesAtOnce) {
      for (const { id, name } of checks.listMiscounted(from, from + releasesAtOnce)) {
        yield {
          problem: `finding counts: those of release ${id} (${name}) are not those of its findings`,
          repair: () => void checks.deleteChecks(id),
        }
      }
      onProgress(`finding counts ${from} of ${last}`)
    }
  },
}
