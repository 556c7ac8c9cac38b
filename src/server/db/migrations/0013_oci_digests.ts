import type Sqlite from 'better-sqlite3'
import { artifactDigests } from '../../../shared/oci-artifact.ts'
import type { ArtifactFacts } from '../../../shared/oci-artifact.ts'

/** Finds releases by the digests of what OCI clients get: derived from the release, which never changes. */
export function createOciDigests(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TABLE release_oci_digests (
      digest TEXT NOT NULL,
      release_id INTEGER NOT NULL REFERENCES releases (id),
      PRIMARY KEY (digest, release_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX release_oci_digests_release ON release_oci_digests (release_id);
  `)
  const insert = connection.prepare<[string, number]>('INSERT INTO release_oci_digests VALUES (?, ?)')
  const releases = connection.prepare<[number], ArtifactFacts & { id: number }>(
    `SELECT id, name, version, sha256, size, created_at AS createdAt FROM releases
     WHERE id > ? ORDER BY id LIMIT 500`,
  )
  for (let page = releases.all(0); page.length > 0; page = releases.all(page.at(-1)?.id ?? 0)) {
    for (const release of page) for (const digest of artifactDigests(release)) insert.run(digest, release.id)
  }
}
