import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLog } from '../../src/server/backup/check-log.ts'
import { verifyFolder } from '../../src/server/backup/verify-folder.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths, initializeLog } from '../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { nodePosition } from '../../src/server/db/log/event-log.ts'
import { readLogKey, saveCheckpoint } from '../../src/server/storage/log-checkpoint.ts'
import { runChecks } from '../../src/server/verify/run-checks.ts'
import { loggedRowsCheck, logTreeCheck } from '../../src/server/verify/log.checks.ts'
import { leafHash, nodeHash } from '../../src/shared/log/hashes.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { addOwners } from '../support/server/add-owners.ts'
import { copyOfDemo } from '../support/server/demo.ts'

let demo: string
let connection: Sqlite.Database
let size = 0

beforeAll(async () => {
  demo = await copyOfDemo()
  await withPeople(async (people) => {
    await people.addPerson({ subject: 'noor', role: 'developer' })
    await people.issueToken({ subject: 'noor' })
    await people.addPerson({ subject: 'gone', role: 'developer' })
    await people.issueToken({ subject: 'gone' })
    await people.removePerson('gone')
  }, demo)
  const paths = dataPaths(demo)
  const database = openDatabase(paths.database)
  await addOwners(database)
  await database.transact(() =>
    database.writer.exec(addPasskey(`(SELECT id FROM people WHERE subject = 'noor')`, 'bm9vcg')),
  )
  database.close()
  connection = new Sqlite(paths.database)
  connection.pragma('foreign_keys = OFF')
  await saveCheckpoint(paths.logCheckpoint, readLogKey(paths.logKey), connection)
  size = Number(connection.prepare('SELECT count(*) FROM log_entries').pluck().get())
  expect(problems()).toEqual([])
})
afterAll(async () => {
  connection.close()
  await cleanUp()
})

function problems(): string[] {
  const found: string[] = []
  const context = { connection, model: connection, images: null, onProgress: () => {} }
  runChecks([logTreeCheck, loggedRowsCheck], context, ({ problem }) => found.push(problem))
  checkLog(dataPaths(demo), connection, (problem) => found.push(problem))
  return found
}

/** What the checks find after these statements, which are rolled back. */
function problemsAfter(tamper: string | (() => void)): string[] {
  connection.exec('BEGIN')
  try {
    if (typeof tamper === 'string') connection.exec(tamper)
    else tamper()
    return problems()
  } finally {
    connection.exec('ROLLBACK')
  }
}

/** Computes the tree again, as an intruder who knows how would do. */
function recomputeTree(): void {
  connection.exec('DELETE FROM log_nodes')
  const insert = connection.prepare('INSERT INTO log_nodes VALUES (?, ?)')
  let level = connection
    .prepare<[], string>('SELECT entry FROM log_entries ORDER BY idx')
    .pluck()
    .all()
    .map((entry) => leafHash(Buffer.from(entry)))
  for (let height = 0; level.length > 0; height += 1) {
    for (const [index, hash] of level.entries()) insert.run(nodePosition(height, index), hash)
    const pairs = Math.floor(level.length / 2)
    level = Array.from({ length: pairs }, (_, index) =>
      nodeHash(level[2 * index] ?? new Uint8Array(), level[2 * index + 1] ?? new Uint8Array()),
    )
  }
}

const run = (statements: string) => (): void => {
  connection.exec(statements)
  recomputeTree()
}
const edited = `UPDATE log_entries SET entry = replace(entry, '"type":"', '"type":"not-') WHERE idx = 3`
const swapped = `UPDATE log_entries SET idx = -1 WHERE idx = 3; UPDATE log_entries SET idx = 3 WHERE idx = 4;
  UPDATE log_entries SET idx = 4 WHERE idx = -1`
const rewritten = 'entries have changed since its checkpoint was saved'
const notLogged = 'log entry 3: it is not the one that was logged'

describe('the log:', () => {
  test.each<[string, string | (() => void), string]>([
    [
      'its last entry is removed',
      run('DELETE FROM log_entries WHERE idx = (SELECT max(idx) FROM log_entries)'),
      'when its checkpoint was saved',
    ],
    [
      'its last entry is removed, but not from the tree',
      'DELETE FROM log_entries WHERE idx = (SELECT max(idx) FROM log_entries)',
      'nodes instead of',
    ],
    [
      'all entries are removed',
      run('DELETE FROM log_entries'),
      'transparency log: it has 0 entries, but had',
    ],
    [
      'an entry in the middle is removed',
      'DELETE FROM log_entries WHERE idx = 3',
      'log entry 3: it is missing',
    ],
    [
      'an entry in the middle is removed and the others moved up',
      run(
        'DELETE FROM log_entries WHERE idx = 3; UPDATE log_entries SET idx = -idx; UPDATE log_entries SET idx = -idx - (idx < -3)',
      ),
      'when its checkpoint was saved',
    ],
    ['the first entry is removed', 'DELETE FROM log_entries WHERE idx = 0', 'log entry 0: it is missing'],
    ['an entry is edited', edited, notLogged],
    [
      'an entry is edited, with its leaf hash',
      () => {
        connection.exec(edited)
        const entry = String(connection.prepare('SELECT entry FROM log_entries WHERE idx = 3').pluck().get())
        connection
          .prepare('UPDATE log_nodes SET hash = ? WHERE position = ?')
          .run(leafHash(Buffer.from(entry)), nodePosition(0, 3))
      },
      `transparency log: node ${nodePosition(1, 1)} does not match its entries`,
    ],
    ['an entry is edited and the tree computed again', run(edited), rewritten],
    [
      'an entry is not JSON',
      "UPDATE log_entries SET entry = 'nonsense' WHERE idx = 3",
      'log entry 3: it is not an entry',
    ],
    ['two entries are swapped', swapped, notLogged],
    ['two entries are swapped and the tree computed again', run(swapped), rewritten],
    [
      'the details of an entry are edited',
      `UPDATE log_entries SET details = replace(details, 'developer', 'administrator')`,
      'its details have changed',
    ],
    [
      'the salt of an entry is changed',
      "UPDATE log_entries SET salt = x'00' WHERE idx = 3",
      'log entry 3: its details have changed',
    ],
    [
      'the subject of an entry is changed',
      "UPDATE log_entries SET subject = 'people/1' WHERE idx = 3",
      'log entry 3: its subject has changed',
    ],
    [
      'an entry is dated back',
      run(`UPDATE log_entries SET entry = json_set(entry, '$.at', '2001-01-01T00:00:00.000Z') WHERE idx = 3`),
      'log entry 3: it is older than the entry before it',
    ],
    [
      'an entry is added',
      'INSERT INTO log_entries SELECT max(idx) + 1, subject, entry, salt, details FROM log_entries',
      'it is not the one that was logged',
    ],
    [
      'a node is changed',
      `UPDATE log_nodes SET hash = zeroblob(32) WHERE position = ${nodePosition(2, 0)}`,
      `node ${nodePosition(2, 0)} does not match its entries`,
    ],
    [
      'a node is removed',
      `DELETE FROM log_nodes WHERE position = ${nodePosition(1, 0)}`,
      `node ${nodePosition(1, 0)} does not match its entries`,
    ],
    [
      'a leaf hash is changed',
      `UPDATE log_nodes SET hash = zeroblob(32) WHERE position = ${nodePosition(0, 3)}`,
      notLogged,
    ],
    [
      'a node is added',
      'INSERT INTO log_nodes SELECT max(position) + 1, hash FROM log_nodes',
      'nodes instead of',
    ],
  ])('%s', (_what, tamper, expected) => {
    const found = problemsAfter(tamper)
    expect(found.join('\n')).toContain(expected)
    // One change of the log does not lead to a flood of problems with it.
    const ofLog = found.filter((problem) => !problem.endsWith(notInLog))
    expect(ofLog.length).toBeLessThan(20)
  })
})

const approved = "(SELECT min(id) FROM decisions WHERE action = 'approved')"
const noorsToken = "WHERE person_id = (SELECT id FROM people WHERE subject = 'noor')"
const addPasskey = (person: string, id: string): string =>
  `INSERT INTO passkeys (person_id, credential_id, public_key, signatures, label, created_at)
   VALUES (${person}, '${id}', 'a2V5', 0, 'laptop', '2026-01-01T00:00:00.000Z')`
const differs = (column: string): string => `${column} differs from the transparency log`
const missing = 'it is missing, although the transparency log has it'
const notInLog = 'it is not in the transparency log'

describe('the rows:', () => {
  test.each([
    ['a role', "UPDATE people SET role = 'administrator' WHERE subject = 'noor'", differs('role')],
    ['a sign-in name', "UPDATE people SET subject = 'x' WHERE subject = 'noor'", differs('subject')],
    ['a display name', "UPDATE people SET name = 'x' WHERE subject = 'noor'", differs('name')],
    ['a removed person', "UPDATE people SET removed_at = NULL WHERE subject = 'gone'", differs('removed_at')],
    [
      'an unlogged person',
      "INSERT INTO people (issuer, subject, role, created_at) VALUES ('skilldock', 'eve', 'administrator', '2026')",
      notInLog,
    ],
    ['a deleted person', "DELETE FROM people WHERE subject = 'noor'", missing],
    [
      'a revoked token',
      'UPDATE tokens SET revoked_at = NULL WHERE revoked_at IS NOT NULL',
      differs('revoked_at'),
    ],
    [
      'the expiry of a token',
      `UPDATE tokens SET expires_at = '2999-01-01T00:00:00.000Z' ${noorsToken}`,
      differs('expires_at'),
    ],
    ['the scope of a token', `UPDATE tokens SET scope = 'admin' ${noorsToken}`, differs('scope')],
    ['the owner of a token', `UPDATE tokens SET person_id = 1 ${noorsToken}`, differs('person_id')],
    [
      'an unlogged token',
      `INSERT INTO tokens SELECT 'copied', person_id, label, scope, created_at, expires_at, NULL, NULL FROM tokens ${noorsToken}`,
      notInLog,
    ],
    ['a deleted token', `DELETE FROM tokens ${noorsToken}`, missing],
    [
      'the public key of a passkey was exchanged',
      "UPDATE passkeys SET public_key = 'b3RoZXI'",
      differs('public_key'),
    ],
    ['the owner of a passkey', 'UPDATE passkeys SET person_id = 1', differs('person_id')],
    ['an unlogged passkey', addPasskey(`(SELECT id FROM people WHERE subject = 'noor')`, 'copied'), notInLog],
    ['a deleted passkey', 'DELETE FROM passkeys', missing],
    [
      'the action of a decision',
      `UPDATE decisions SET action = 'rejected' WHERE id = ${approved}`,
      differs('action'),
    ],
    [
      'the review notes of a decision',
      `UPDATE decisions SET reason = 'x' WHERE id = ${approved}`,
      differs('reason'),
    ],
    [
      'who decided',
      `UPDATE decisions SET decided_by = decided_by + 1 WHERE id = ${approved}`,
      differs('decided_by'),
    ],
    [
      'when it was decided',
      `UPDATE decisions SET decided_at = '2001-01-01T00:00:00.000Z' WHERE id = ${approved}`,
      differs('decided_at'),
    ],
    [
      'what was decided on',
      `UPDATE decisions SET release_id = release_id + 1 WHERE id = ${approved}`,
      differs('release_id'),
    ],
    ['a deleted decision', `DELETE FROM decisions WHERE id = ${approved}`, missing],
    [
      'an unlogged decision',
      `INSERT INTO decisions (release_id, action, reason, decided_by, decided_at) SELECT release_id, action, reason, decided_by, decided_at FROM decisions LIMIT 1`,
      notInLog,
    ],
    [
      'the package of a release',
      "UPDATE releases SET sha256 = 'x', size = 1 WHERE id = 1",
      'sha256, size differ from the transparency log',
    ],
    ['the version of a release', "UPDATE releases SET version = '9.9.9' WHERE id = 1", differs('version')],
    [
      'the publisher of a release',
      'UPDATE releases SET owner_id = owner_id + 1 WHERE id = 1',
      differs('owner_id'),
    ],
    ['the owner of a name', 'UPDATE skill_names SET owner_id = owner_id + 1', differs('name_owner_id')],
    [
      'an owner of a name',
      'UPDATE name_owners SET person_id = person_id + 1 WHERE id = 1',
      differs('person_id'),
    ],
    [
      'an unlogged owner of a name',
      "INSERT INTO name_owners (name, person_id, since, added_by) SELECT name, (SELECT id FROM people WHERE subject = 'noor'), since, person_id FROM name_owners WHERE id = 1",
      notInLog,
    ],
    ['a deleted owner of a name', 'DELETE FROM name_owners WHERE id = 1', missing],
    [
      'ownership that has ended',
      'UPDATE name_owners SET ended_at = NULL, ended_by = NULL WHERE ended_at IS NOT NULL',
      'ended_at, ended_by differ from the transparency log',
    ],
    [
      'the reason for a transfer',
      "UPDATE name_owners SET reason = 'x' WHERE reason IS NOT NULL",
      differs('reason'),
    ],
    [
      'the recipient of an offer',
      "UPDATE owner_offers SET person_id = (SELECT id FROM people WHERE subject = 'noor')",
      differs('person_id'),
    ],
    [
      'a withdrawn offer',
      "UPDATE owner_offers SET outcome = 'declined' WHERE outcome = 'withdrawn'",
      differs('outcome'),
    ],
    [
      'an unlogged offer',
      "INSERT INTO owner_offers (name, kind, offered_by, person_id, offered_at, expires_at) SELECT name, 'co-owner', person_id, person_id, since, '2999-01-01T00:00:00.000Z' FROM name_owners LIMIT 1",
      notInLog,
    ],
    [
      'a manifest',
      "UPDATE release_manifests SET manifest = x'7b7d' WHERE release_id = 1",
      differs('manifest'),
    ],
    [
      'when a release was submitted',
      "UPDATE releases SET created_at = '2001-01-01T00:00:00.000Z' WHERE id = 1",
      differs('created_at'),
    ],
    ['a deleted release', 'DELETE FROM releases WHERE id = 1', missing],
    [
      'an unlogged dismissal',
      "INSERT INTO judgements (name, check_id, fingerprint, reason, release_id, judged_by, judged_at) SELECT name, 'x', 'y', 'z', id, 1, '2026' FROM releases LIMIT 1",
      notInLog,
    ],
    ['a deleted post', 'DELETE FROM posts WHERE id = 1', missing],
    [
      'the text of a published post',
      "UPDATE post_versions SET content = '{}' WHERE id IN (SELECT published_version FROM posts)",
      differs('content'),
    ],
    [
      'an unpublished post',
      'UPDATE posts SET published_version = NULL, publish_at = NULL',
      'differ from the transparency log',
    ],
    [
      'the time of a post',
      "UPDATE posts SET publish_at = '2001-01-01T00:00:00.000Z' WHERE publish_at IS NOT NULL",
      differs('publish_at'),
    ],
    [
      'the status of a project',
      "UPDATE projects SET status = 'approved' WHERE status <> 'approved'",
      differs('status'),
    ],
    ['the text of a project', "UPDATE projects SET content = '{}'", differs('content')],
    ['a featured project', 'UPDATE projects SET featured = 1 - featured', differs('featured')],
    ['a deleted project', 'DELETE FROM projects', missing],
    [
      'who uploaded an image',
      'UPDATE images SET uploaded_by = coalesce(uploaded_by, 0) + 1',
      differs('uploaded_by'),
    ],
    ['a deleted image', 'DELETE FROM images', missing],
    [
      'an unlogged image',
      "INSERT INTO images SELECT 'x', type, width, height, frames, size, has_position, uploaded_at, uploaded_by FROM images LIMIT 1",
      notInLog,
    ],
  ])('%s', (_what, statements, expected) => {
    expect(problemsAfter(statements).join('\n')).toContain(expected)
  })
})

describe('the files:', () => {
  test.each<[string, (folder: string) => void, string]>([
    [
      'the checkpoint is missing',
      (folder) => rmSync(join(folder, 'log-checkpoint')),
      'log-checkpoint: it is missing',
    ],
    [
      'the checkpoint is edited',
      (folder) => {
        const file = join(folder, 'log-checkpoint')
        writeFileSync(file, readFileSync(file, 'utf8').replace(`\n${size}\n`, `\n${size - 1}\n`))
      },
      'log-checkpoint: it has no valid signature',
    ],
    [
      'the checkpoint is of another key',
      (folder) => {
        const paths = { ...dataPaths(folder), logKey: join(folder, 'other.json') }
        initializeLog(paths)
      },
      'log-checkpoint: it has no valid signature',
    ],
    [
      'the key is missing',
      (folder) => rmSync(join(folder, 'log-key.json')),
      'log-key.json: it is missing or cannot be read',
    ],
    [
      'the key is not a key',
      (folder) => writeFileSync(join(folder, 'log-key.json'), '{}'),
      'log-key.json: it is missing or cannot be read',
    ],
  ])('%s', async (_what, tamper, expected) => {
    const folder = join(temporaryFolder(), 'copy')
    cpSync(demo, folder, { recursive: true })
    tamper(folder)
    const found: string[] = []
    await verifyFolder(dataPaths(folder), {
      onFound: ({ problem }) => found.push(problem),
      onProgress: () => {},
      onOrphan: () => {},
    })
    expect(found).toEqual([expect.stringContaining(expected)])
  })
})
