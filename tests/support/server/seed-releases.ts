import { createHash } from 'node:crypto'
import { identityRepository } from '../../../src/server/domains/identity/identity.repository.ts'
import { builtInIssuer } from '../../../src/server/domains/identity/identity.rules.ts'
import { releaseRepository } from '../../../src/server/domains/releases/releases.repository.ts'
import type { ReleaseStatus } from '../../../src/shared/contracts/releases.ts'
import type { ReviewAction } from '../../../src/shared/contracts/decisions.ts'
import { withDatabase } from '../desk/desk-client.ts'
import { manifest } from './publish.ts'
import type { TestServer } from './server.ts'

export interface SeededRelease {
  id: number
  name: string
  version: string
  owner: string
  status: ReleaseStatus
  sha256: string
}

const owners = ['Mara Ölander', 'Çelik', 'mira', 'Zoë']
const statuses: ReleaseStatus[] = ['pending', 'approved', 'rejected', 'revoked', 'approved']
const path: Record<ReleaseStatus, ReviewAction[]> = {
  pending: [],
  approved: ['approved'],
  rejected: ['rejected'],
  revoked: ['approved', 'revoked'],
}

/**
 * Inserts rows without files, a minute apart: four owners, five releases per name, all statuses in rotation. `decider`
 * decides them in reverse, so that no two orders are the same.
 */
export function seedReleases(
  server: Pick<TestServer, 'folder'>,
  count: number,
  decider: number,
): Promise<SeededRelease[]> {
  const start = Date.UTC(2026, 0, 1)
  const at = (minute: number): string => new Date(start + minute * 60_000).toISOString()
  return withDatabase(server, (database) =>
    database.transact(() => {
      const people = identityRepository(database.writer)
      const releases = releaseRepository(database.writer)
      const ids = owners.map((name, index) =>
        people.insertPerson({
          issuer: builtInIssuer,
          subject: `owner-${index}`,
          name,
          role: 'developer',
          createdAt: at(0),
        }),
      )
      const seeded = Array.from({ length: count }, (_, index): SeededRelease => {
        const group = Math.floor(index / 5)
        const release = {
          name: `skill-${['echo', 'csv', 'json', 'date'][group % 4]}-${group}`,
          version: `1.0.${index % 5}`,
          sha256: createHash('sha256').update(String(index)).digest('hex'),
        }
        const ownerId = ids[group % ids.length] ?? 0
        const text = JSON.stringify(manifest({ name: release.name, version: release.version }))
        const id = releases.insertRelease(
          { ...release, ownerId, size: 1000 + index, createdAt: at(index) },
          text,
        )
        const status = statuses[index % statuses.length] ?? 'pending'
        return { ...release, id, owner: owners[group % owners.length] ?? '', status }
      })
      for (const [index, { id, status }] of seeded.toReversed().entries()) {
        for (const action of path[status]) {
          releases.updateStatus({ id, status: action, reviewReason: 'I read all of it.' })
          releases.insertDecision({
            releaseId: id,
            action,
            reason: 'I read all of it.',
            decidedBy: decider,
            decidedAt: at(count + index),
          })
        }
      }
      return seeded
    }),
  )
}
