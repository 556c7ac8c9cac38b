import Sqlite from 'better-sqlite3'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { manifest } from './publish.ts'
import type { TestServer } from './server.ts'

/** The maximum number of releases that share a name, and of decisions that share a time. */
const largestGroup = 20_000

/**
 * Inserts rows without files, with SQL only: one skill with up to 20,000 versions, but at most half of the releases, two
 * versions of every other, an owner for twenty releases, some without a name, and a tenth of all releases pending. The
 * order of decisions differs from that of submissions, and as many decisions as that skill has versions have the same time.
 */
export function insertManyReleases(connection: Sqlite.Database, count: number, decider: number): void {
  const group = Math.min(largestGroup, count / 2)
  const owners = count / 20
  const counted = `WITH RECURSIVE counted (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counted WHERE i + 1 < @n)`
  const things = `CASE i % 3 WHEN 0 THEN 'echo' WHEN 1 THEN 'csv' ELSE 'zip' END`
  const names = `iif(i < ${group}, 'many-versions', ${things} || '-' || printf('%06d', i * 7919 % @n / 2))`
  const minute = (of: string): string =>
    `strftime('%Y-%m-%dT%H:%M:00.000Z', '2020-01-01', (${of}) || ' minutes')`
  const run = (sql: string, bindings: object): void => void connection.prepare(sql).run(bindings)
  run(
    `${counted} INSERT INTO people (issuer, subject, name, role, created_at)
     SELECT 'skilldock', 'owner-' || i, iif(i % 7 = 0, NULL, 'Zoë ' || i), 'developer', ${minute('0')} FROM counted`,
    { n: owners },
  )
  run(
    `${counted} INSERT INTO skill_names (name, owner_id)
     SELECT DISTINCT ${names}, (SELECT max(id) FROM people) FROM counted WHERE true ON CONFLICT DO NOTHING`,
    { n: count },
  )
  run(
    `INSERT INTO name_owners (name, person_id, since, added_by)
     SELECT name, owner_id, '2026-01-01T00:00:00.000Z', owner_id FROM skill_names WHERE true
     ON CONFLICT DO NOTHING`,
    {},
  )
  run(
    `${counted} INSERT INTO releases (name, version, owner_id, sha256, size, status, created_at)
     SELECT ${names}, i || '.0.0', (SELECT max(id) FROM people) - i % ${owners}, lower(hex(randomblob(32))), 1000 + i,
       CASE i % 10 WHEN 0 THEN 'pending' WHEN 1 THEN 'rejected' WHEN 2 THEN 'revoked' ELSE 'approved' END,
       ${minute('i')} FROM counted`,
    { n: count },
  )
  run('INSERT INTO release_manifests (release_id, manifest) SELECT id, CAST(@text AS BLOB) FROM releases', {
    text: JSON.stringify(manifest()),
  })
  run(
    `INSERT INTO decisions (release_id, action, reason, decided_by, decided_at)
     SELECT id, status, 'I read all of it.', @decider, ${minute(`@n + max(id * 7919 % @n, ${group})`)}
     FROM releases WHERE status <> 'pending' ORDER BY id * 7919 % @n`,
    { n: count, decider },
  )
}

/**
 * The same in the database of a server, with the audit log but without the transparency log, whose entries take most of
 * the time.
 */
export function seedManyReleases(
  { folder }: Pick<TestServer, 'folder'>,
  count: number,
  decider: number,
): void {
  const connection = new Sqlite(dataPaths(folder).database)
  try {
    connection.transaction(() => {
      insertManyReleases(connection, count, decider)
      connection.exec(`
        INSERT INTO history (at, kind, person_id, name, release_id, ref)
        SELECT created_at, 'submitted', owner_id, name, id, NULL FROM releases
        UNION ALL
        SELECT d.decided_at, d.action, d.decided_by, r.name, r.id, d.id FROM decisions d JOIN releases r ON r.id = d.release_id`)
    })()
  } finally {
    connection.close()
  }
}
