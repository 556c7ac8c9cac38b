import { advisoriesPerPage } from '../../../../shared/contracts/release-states.ts'
import type { ReleaseState } from '../../../../shared/contracts/release-states.ts'
import { ListPage } from '../../../../shared/list-page.ts'
import { DomainError } from '../../../../shared/errors.ts'
import { createPageStore } from '../../../content/page-store.ts'
import type { Database } from '../../../db/database.ts'
import { catalogRepository } from '../catalog/catalog.repository.ts'
import type { Mirror } from '../mirror/mirror.service.ts'
import { texts } from '../releases.texts.ts'
import { parseDeprecation, releaseStatesRepository } from './release-states.repository.ts'
import type { RevokedRow } from './release-states.repository.ts'

/**
 * The id of a revocation in the advisories. A release is revoked at most once, and a rebuilt database has the same ids of
 * releases, so it never changes.
 */
const advisoryId = ({ id, decidedAt }: Pick<RevokedRow, 'id' | 'decidedAt'>): string =>
  `x_SKILLDOCK-${decidedAt.slice(0, 4)}-${id}`

/** A record in the shape of OSV 1.x (https://ossf.github.io/osv-schema). */
const advisoryOf = (revoked: RevokedRow): object => ({
  schema_version: '1.6.0',
  id: advisoryId(revoked),
  modified: revoked.decidedAt,
  published: revoked.decidedAt,
  summary: texts.advisory(revoked.name, revoked.version),
  ...(revoked.reason !== null && { details: revoked.reason }),
  affected: [
    {
      package: { ecosystem: 'Skilldock', name: revoked.name },
      versions: [revoked.version],
      database_specific: { sha256: revoked.sha256 },
    },
  ],
})

/** What has become of releases after their approval, for everyone. */
export function createReleaseStates(database: Database, mirror: Pick<Mirror, 'findRevoked'>) {
  const repository = releaseStatesRepository(database.reader)
  const catalog = catalogRepository(database.reader)
  const store = createPageStore()

  return {
    /** Throws NOT_FOUND for a release that was never approved, whose existence is not public. */
    getReleaseState(name: string, version: string): ReleaseState {
      database.assertAvailable()
      const row = repository.find(name, version)
      if (row === null) {
        const sha256 = mirror.findRevoked(name, version)
        if (sha256 === null)
          throw new DomainError('NOT_FOUND', texts.catalog.notApproved(`${name} ${version}`))
        const latest = repository.findLatest(name)
        return { name, version, sha256, status: 'revoked', latest, deprecation: null, advisory: null }
      }
      const { id, decidedAt, deprecation, ...state } = row
      return state.status === 'revoked'
        ? { ...state, deprecation: null, advisory: advisoryId({ id, decidedAt }) }
        : { ...state, deprecation: parseDeprecation(deprecation), advisory: null }
    },

    findDeprecation: repository.findDeprecation,

    /** A page of the advisories as JSON, cached until a release changes. */
    getAdvisories(offset: number): Promise<ListPage<Buffer>> {
      database.assertAvailable()
      return store.get(String(catalog.generation()), String(offset), () => {
        const rows = repository.listRevoked(advisoriesPerPage + 1, offset)
        const advisories = rows.slice(0, advisoriesPerPage).map(advisoryOf)
        return new ListPage(Buffer.from(JSON.stringify(advisories)), rows.length > advisoriesPerPage)
      })
    },
  }
}

export type ReleaseStates = ReturnType<typeof createReleaseStates>
