import type Sqlite from 'better-sqlite3'
import { createDeprecations } from './0013_deprecations.ts'
import { createMirror } from './0013_mirror.ts'
import { createOciDigests } from './0013_oci_digests.ts'
import { createTrustedPublishers } from './0013_trusted_publishers.ts'

/** What people and clients outside the registry's own pages need. */
export function createReach(connection: Sqlite.Database): void {
  createDeprecations(connection)
  createOciDigests(connection)
  createMirror(connection)
  createTrustedPublishers(connection)
}
