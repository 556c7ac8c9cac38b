import type { ArtifactFacts } from '../../../../shared/oci-artifact.ts'
import { anyValue, repository } from '../../../db/repository.ts'

export interface OciRelease extends ArtifactFacts {
  id: number
}

/** All SQL for OCI clients, which sees only approved releases. */
export const ociRepository = repository((sql) => ({
  /** Of one skill, the latest first. */
  listApproved: sql.list<[name: string], OciRelease>(`
    SELECT id, name, version, sha256, size, created_at AS createdAt FROM releases INDEXED BY releases_latest
    WHERE name = ${anyValue} AND status = 'approved' ORDER BY id DESC`),
}))
