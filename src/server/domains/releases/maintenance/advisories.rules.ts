import { texts } from '../releases.texts.ts'

export interface RevokedRow {
  id: number
  name: string
  version: string
  sha256: string
  decidedAt: string
  /** Null if it is not public. */
  reason: string | null
}

/**
 * The id of a revocation in the advisories. A release is revoked at most once, and a rebuilt database has the same ids of
 * releases, so it never changes.
 */
export const advisoryId = ({ id, decidedAt }: Pick<RevokedRow, 'id' | 'decidedAt'>): string =>
  `x_SKILLDOCK-${decidedAt.slice(0, 4)}-${id}`

/** A record in the shape of OSV 1.x (https://ossf.github.io/osv-schema). */
export const advisoryOf = (revoked: RevokedRow): object => ({
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
