import type { ArtifactFacts } from '../../../../shared/oci-artifact.ts'
import type { Connection } from '../../../db/database.ts'
import { anyValue, preparedOnce } from '../../../db/prepared-once.ts'

export interface OciRelease extends ArtifactFacts {
  id: number
}

const columns = 'r.id, r.name, r.version, r.sha256, r.size, r.created_at AS createdAt'
const approved = `r.name = ${anyValue} AND r.status = 'approved'`

/** All SQL for OCI clients, which sees only approved releases. */
export const ociRepository = preparedOnce((connection: Connection) => {
  const byVersion = connection.prepare<[string, string], OciRelease>(
    `SELECT ${columns} FROM releases r WHERE ${approved} AND r.version = ${anyValue}`,
  )
  const latest = connection.prepare<[string], OciRelease>(
    `SELECT ${columns} FROM releases r INDEXED BY releases_latest WHERE ${approved} ORDER BY r.id DESC LIMIT 1`,
  )
  const byModule = connection.prepare<[string, string], OciRelease>(
    `SELECT ${columns} FROM releases r INDEXED BY releases_digest
     WHERE ${approved} AND r.sha256 = ${anyValue} ORDER BY r.id DESC LIMIT 1`,
  )
  // Each digest has a row or two: the order of the join must not depend on statistics.
  const byDigest = connection.prepare<[string, string], OciRelease>(
    `SELECT ${columns} FROM release_oci_digests d CROSS JOIN releases r NOT INDEXED ON r.id = d.release_id
     WHERE ${approved} AND d.digest = ${anyValue} LIMIT 1`,
  )
  const versions = connection
    .prepare<[string, string, number], string>(
      `SELECT r.version FROM releases r WHERE ${approved} AND r.version > ${anyValue} ORDER BY r.version LIMIT ?`,
    )
    .pluck()

  return {
    findByVersion: (name: string, version: string) => byVersion.get(name, version) ?? null,
    findLatest: (name: string) => latest.get(name) ?? null,
    /** The newest release with this module. */
    findByModule: (name: string, sha256: string) => byModule.get(name, sha256) ?? null,
    /** The release whose manifest or config has this digest. */
    findByDigest: (name: string, digest: string) => byDigest.get(name, digest) ?? null,
    /** In lexical order. */
    listVersions: (name: string, after: string, limit: number) => versions.all(name, after, limit),
  }
})
