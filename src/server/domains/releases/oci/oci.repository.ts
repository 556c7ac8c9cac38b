import type { ArtifactFacts } from '../../../../shared/oci-artifact.ts'
import { anyValue } from '../../../db/prepared-once.ts'
import { repository } from '../../../db/repository.ts'

export interface OciRelease extends ArtifactFacts {
  id: number
}

const columns = 'r.id, r.name, r.version, r.sha256, r.size, r.created_at AS createdAt'
const approved = `r.name = ${anyValue} AND r.status = 'approved'`

/** All SQL for OCI clients, which sees only approved releases. */
export const ociRepository = repository((sql, connection) => {
  // Each digest has a row or two: the order of the join must not depend on statistics.
  const byDigest = connection.prepare<[string, string], OciRelease>(
    `SELECT ${columns} FROM release_oci_digests d CROSS JOIN releases r NOT INDEXED ON r.id = d.release_id
     WHERE ${approved} AND d.digest = ${anyValue} LIMIT 1`,
  )

  return {
    findByVersion: sql.find<[name: string, version: string], OciRelease>(
      `SELECT ${columns} FROM releases r WHERE ${approved} AND r.version = ${anyValue}`,
    ),
    findLatest: sql.find<[name: string], OciRelease>(
      `SELECT ${columns} FROM releases r INDEXED BY releases_latest WHERE ${approved} ORDER BY r.id DESC LIMIT 1`,
    ),
    /** The newest release with this module. */
    findByModule: sql.find<[name: string, sha256: string], OciRelease>(`
      SELECT ${columns} FROM releases r INDEXED BY releases_digest
      WHERE ${approved} AND r.sha256 = ${anyValue} ORDER BY r.id DESC LIMIT 1`),
    /** The release whose manifest or config has this digest. */
    findByDigest: (name: string, digest: string) => byDigest.get(name, digest) ?? null,
    /** In lexical order. */
    listVersions: sql.listValues<[name: string, after: string, limit: number], string>(
      `SELECT r.version FROM releases r WHERE ${approved} AND r.version > ${anyValue} ORDER BY r.version LIMIT ?`,
    ),
  }
})
