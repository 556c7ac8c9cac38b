import { parseStoredManifest } from '../../shared/parse-manifest.ts'
import type { Connection } from '../db/database.ts'
import { verifyReleasesRepository } from '../domains/releases/history/verify-releases.repository.ts'
import {
  verifyRelease,
  manifestInBody,
  searchTextOf,
} from '../domains/releases/history/verify-release.rules.ts'
import type { ReleaseToVerify, DerivedPart } from '../domains/releases/history/verify-release.rules.ts'
import { checksRepository } from '../domains/releases/checks/checks.repository.ts'
import { releaseRepository } from '../domains/releases/releases.repository.ts'
import { gramsOf, releaseBody } from '../domains/releases/releases.rules.ts'
import type { Check } from './run-checks.ts'
import { rowsInPages } from './rows-in-pages.ts'

/** Checks each release with its manifest, stored response, search text and decisions. */
export const releasesCheck: Check = {
  name: 'releases',
  *find({ connection, onProgress }) {
    const rows = verifyReleasesRepository(connection)
    const rebuild = createRebuild(connection)
    const progress = { what: 'releases', count: rows.count().releases, onProgress }
    for (const release of rowsInPages(rows.listReleases, progress)) {
      for (const { problem, derived } of verifyRelease(release)) {
        const sentence = `${release.name} ${release.version}: ${problem}`
        yield derived === null
          ? { problem: sentence }
          : { problem: sentence, repair: () => rebuild(release, derived) }
      }
    }
  },
}

function createRebuild(connection: Connection): (release: ReleaseToVerify, part: DerivedPart) => void {
  const rows = verifyReleasesRepository(connection)
  const releases = releaseRepository(connection)
  const rebuild = (release: ReleaseToVerify, part: DerivedPart): void => {
    const { id, ownerId, ownerName } = release
    if (part === 'last decision') {
      rows.restoreLastDecision(id)
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

/** Releases per query. */
const releasesAtOnce = 500

/**
 * Checks the counts of open findings in the queue against findings and dismissals. Either may have been changed, so the
 * repair is a new check of the release.
 */
export const findingCountsCheck: Check = {
  name: 'finding counts',
  *find({ connection, onProgress }) {
    const checks = checksRepository(connection)
    const last = checks.lastId()
    for (let from = 0; from < last; from += releasesAtOnce) {
      for (const { id, name } of checks.listMiscounted(from, from + releasesAtOnce)) {
        yield {
          problem: `finding counts: those of release ${id} (${name}) do not match its findings`,
          repair: () => checks.deleteChecks(id),
        }
      }
      onProgress(`finding counts ${from} of ${last}`)
    }
  },
}
