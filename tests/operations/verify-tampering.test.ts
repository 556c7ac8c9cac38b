import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyFolder } from '../../src/server/backup/verify-folder.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { examineObservation } from '../../src/server/domains/releases/decisions/evidence.rules.ts'
import { forkHelper } from '../../src/server/processes/fork-helper.ts'
import { recheckReleases } from '../../src/server/verify/recheck-releases.ts'
import { repairFolder } from '../../src/server/verify/repair-folder.ts'
import type { Observation } from '../../src/shared/contracts/evidence.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { helperEntries } from '../support/server/server.ts'

let demo: string

beforeAll(async () => {
  demo = await copyOfDemo()
  addEvidence()
  expect(await problemsOf(demo)).toEqual([])
})
afterAll(cleanUp)

/** Adds evidence, as sent by the desk, to one decision of the demo, which has none. */
function addEvidence(): void {
  const database = new Sqlite(join(demo, 'skilldock.db'))
  const row = database
    .prepare<[], { id: number; sha256: string; manifest: Buffer }>(
      `SELECT d.id, r.sha256, m.manifest FROM decisions d JOIN releases r ON r.id = d.release_id
       JOIN release_manifests m ON m.release_id = r.id WHERE r.id = ${crc32}`,
    )
    .get()
  if (row === undefined) throw new Error('The demo has a decision on crc32 1.0.1')
  const { examples } = JSON.parse(row.manifest.toString()) as SkillManifest
  const output = examples[0]?.output ?? ''
  const observation: Observation = {
    sha256: row.sha256,
    checks: '1',
    ranAt: '2026-03-01T12:00:00.000Z',
    limits: { timeMs: 1000, memoryBytes: 65_536, outputBytes: 1000 },
    runs: [
      {
        example: 0,
        end: 'exited',
        exitCode: 0,
        stdoutSha256: createHash('sha256').update(output).digest('hex'),
        stdoutBytes: Buffer.byteLength(output),
        stderrBytes: 0,
        timeMs: 3,
        peakMemoryBytes: 65_536,
        calls: [],
        detail: null,
      },
    ],
  }
  const examined = examineObservation(observation, row, examples)
  database
    .prepare('INSERT INTO decision_evidence VALUES (?, ?)')
    .run(row.id, JSON.stringify({ growthSeen: [], openFindings: [], observation: examined }))
  database.close()
}

function tamperedDemo(statements: string): string {
  const folder = join(temporaryFolder(), 'copy')
  cpSync(demo, folder, { recursive: true })
  const database = new Sqlite(join(folder, 'skilldock.db'))
  database.pragma('foreign_keys = OFF')
  database.pragma('ignore_check_constraints = ON')
  database.unsafeMode(true)
  database.pragma('writable_schema = ON')
  database.exec(statements)
  database.close()
  return folder
}

async function problemsOf(folder: string): Promise<string[]> {
  const problems: string[] = []
  await verifyFolder(dataPaths(folder), {
    onFound: ({ problem }) => void problems.push(problem),
    onProgress() {},
    onOrphan() {},
  })
  return problems
}

async function repair(folder: string): Promise<{ backups: string[]; repaired: string[] }> {
  const backups: string[] = []
  const repaired: string[] = []
  const paths = dataPaths(folder)
  await repairFolder(
    paths,
    {
      onProgress() {},
      onBackup: (file) => void backups.push(file),
      onRepaired: (problem) => void repaired.push(problem),
    },
    (database) => recheckReleases(database, paths, () => forkHelper(helperEntries.modules, 'modules')),
  )
  return { backups, repaired }
}

const crc32 = "(SELECT id FROM releases WHERE name = 'crc32' AND version = '1.0.1')"
const anyFindings = "(SELECT release_id FROM release_checks WHERE findings <> '[]' LIMIT 1)"
const anyEvidence =
  '(SELECT decision_id FROM decision_evidence WHERE evidence LIKE \'%"passed":true%\' LIMIT 1)'

/**
 * The damage, the SQL that causes it, and what `verify` reports. Damage to different rows is done to one folder in one round;
 * no expected text of a round is part of another.
 */
type Tampering = [title: string, statements: string, problem: string]

const statementsOf = (round: Tampering[]): string => round.map(([, statements]) => statements).join(';\n')

function expectFound(round: Tampering[], problems: string[]): void {
  const found = problems.join('\n')
  expect(round.filter(([, , problem]) => !found.includes(problem)).map(([title]) => title)).toEqual([])
}

describe('is found and repaired:', () => {
  test.each<Tampering[]>([
    [
      [
        'findings that are not JSON',
        `UPDATE release_checks SET findings = 'x' WHERE release_id = ${crc32}`,
        'findings cannot be read: is not JSON',
      ],
      [
        'deleted findings',
        `UPDATE release_checks SET findings = '[]' WHERE release_id = (SELECT release_id FROM release_checks WHERE warnings + errors > 0 LIMIT 1)`,
        'finding counts: those of release',
      ],
      [
        'new capabilities that are not JSON',
        `UPDATE release_checks SET growth = '{' WHERE release_id = ${crc32}`,
        'growth cannot be read',
      ],
      [
        'the time of the checks',
        `UPDATE release_checks SET checked_at = 'yesterday' WHERE release_id = ${crc32}`,
        'checked_at cannot be read',
      ],
      [
        'module facts of the wrong shape',
        `UPDATE release_modules SET facts = '{"imports": 7}' WHERE release_id = ${crc32}`,
        'facts cannot be read: imports must be an array',
      ],
      [
        'an invalid stored response',
        `UPDATE release_bodies SET body = x'00ff' WHERE release_id = ${crc32}`,
        'its stored response does not match its row and manifest',
      ],
      [
        'an emptied search index',
        "INSERT INTO release_grams (release_grams) VALUES ('delete-all')",
        'search index: 21 releases are indexed with the wrong text',
      ],
      [
        'a different search text',
        `UPDATE release_texts SET text = 'bait' WHERE release_id = ${crc32}`,
        'its search text is missing or outdated',
      ],
      ['a missing table of derived rows', 'DROP TABLE image_uses', 'schema: the table image_uses is missing'],
      [
        'a missing trigger',
        'DROP TRIGGER catalog_after_update',
        'schema: the trigger catalog_after_update is missing',
      ],
      [
        'a trigger that does nothing',
        'DROP TRIGGER decisions_note_last; CREATE TRIGGER decisions_note_last AFTER INSERT ON decisions BEGIN SELECT 1; END',
        'schema: the trigger decisions_note_last differs',
      ],
      [
        'an unknown trigger',
        "CREATE TRIGGER helper AFTER UPDATE OF size ON releases BEGIN UPDATE people SET role = 'administrator' WHERE id = 2; END",
        'schema: the trigger helper on releases does not belong to this version',
      ],
      ['a missing index', 'DROP INDEX releases_catalog', 'schema: the index releases_catalog is missing'],
      [
        'an index on another column',
        'DROP INDEX releases_digest; CREATE INDEX releases_digest ON releases (size)',
        'schema: the index releases_digest differs',
      ],
      [
        'an unknown view',
        'CREATE VIEW secrets AS SELECT * FROM tokens',
        'schema: the view secrets on secrets does not belong',
      ],
      [
        'the recorded last decision',
        `UPDATE releases SET last_decision = 1 WHERE id = ${crc32}`,
        'its recorded last decision is not its last decision',
      ],
      [
        'the skeleton of a name',
        "UPDATE skill_names SET skeleton = 'none' WHERE name = 'crc32'",
        'names: the stored look-alike form of crc32 is wrong',
      ],
      [
        'the first approval of a name',
        "UPDATE skill_names SET first_approved_at = NULL WHERE name = 'crc32'",
        'names: the first approval of crc32 does not match its decisions',
      ],
      ['missing history', 'DELETE FROM history', 'history: the submission of release 1 is missing'],
      [
        'a missing event',
        "DELETE FROM history WHERE kind = 'person.added'",
        'audit log: log entry 0 is missing',
      ],
      [
        'an invalid image type',
        "UPDATE images SET type = 'nonsense'",
        'type cannot be read: must be one of image/jpeg',
      ],
      [
        'a different image type',
        "UPDATE renditions SET type = 'image/gif'",
        'its recorded type is image/gif, but the file is image/webp',
      ],
      [
        'the counter of the catalog',
        'DELETE FROM catalog_generation',
        'counters: the one for the catalog is missing',
      ],
      [
        'a counter of the desk',
        "DELETE FROM desk_topics WHERE topic = 'people'",
        'counters: the one for people is missing',
      ],
      [
        'ids that would be reused',
        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'releases'",
        'counters: ids of releases would be reused',
      ],
    ],
    [
      [
        'findings of the wrong shape',
        `UPDATE release_checks SET findings = '[{"check": 5}]' WHERE release_id = ${crc32}`,
        'findings cannot be read: 0.check must be a string',
      ],
      [
        'module facts that are not JSON',
        "UPDATE release_modules SET facts = 'nonsense'",
        'facts cannot be read: is not JSON',
      ],
      [
        'counts of open findings',
        `UPDATE release_checks SET errors = 40 WHERE release_id = ${anyFindings}`,
        'finding counts: those of release',
      ],
      ['no stored responses at all', 'DELETE FROM release_bodies', 'its stored response is missing'],
      [
        'a search index without one release',
        `DELETE FROM release_grams WHERE rowid = ${crc32}`,
        'search index: 1 release is indexed with the wrong text',
      ],
      [
        'title and slug of a post',
        "UPDATE posts SET title = 'x', slug = 'y'",
        'its title or slug differs from its draft',
      ],
      ['slugs of posts', 'DELETE FROM post_slugs', 'it does not reserve the slug of its published version'],
      [
        'images used by posts and projects',
        'DELETE FROM image_uses',
        'the images recorded for it are not the ones it uses',
      ],
      [
        'the author of a project',
        "UPDATE projects SET author = 'x'",
        'its title, slug or author differs from its content',
      ],
    ],
    [
      [
        'finding counts without findings',
        "UPDATE release_checks SET warnings = 9 WHERE findings = '[]'",
        'finding counts: those of release',
      ],
      [
        'an invalid manifest',
        `UPDATE release_manifests SET manifest = x'7b' WHERE release_id = ${crc32}`,
        'The manifest is not valid JSON',
      ],
      [
        'a search index with a wrong word for a release',
        "INSERT INTO release_grams (rowid, grams) VALUES (9999, 'x6100')",
        'search index: 1 release is indexed',
      ],
    ],
    [
      [
        'a missing manifest',
        `DELETE FROM release_manifests WHERE release_id = ${crc32}`,
        'its manifest is missing',
      ],
      ['missing search texts', 'DELETE FROM release_texts', 'its search text is missing or outdated'],
    ],
    [['a missing search index', 'DROP TABLE release_grams', 'schema: the table release_grams is missing']],
  ])('round %#', async (...round) => {
    const folder = tamperedDemo(statementsOf(round))
    expectFound(round, await problemsOf(folder))
    const { backups, repaired } = await repair(folder)
    expect(repaired.join('\n')).not.toBe('')
    expect(backups.filter((file) => existsSync(file))).toHaveLength(1)
    expect(await problemsOf(folder)).toEqual([])
    // The same rows as before the damage, byte for byte where possible.
    expect(derivedRows(folder)).toEqual(derivedRows(demo))
  })
})

describe('is found, but can only be restored from a backup:', () => {
  test.each<Tampering[]>([
    [
      [
        'an invalid role',
        "UPDATE people SET role = 'owner' WHERE id = 1",
        'people 1: role cannot be read: must be one of developer, editor, reviewer, administrator',
      ],
      [
        'a status without a decision',
        `UPDATE releases SET status = 'revoked' WHERE id = ${crc32}`,
        'but its last decision is approved',
      ],
      [
        'a decision by another person',
        `UPDATE decisions SET decided_by = 2 WHERE release_id = ${crc32}`,
        'says approved by person 2',
      ],
      [
        'an additional decision',
        `INSERT INTO decisions (release_id, action, reason, decided_by, decided_at) VALUES (${crc32}, 'approved', 'Approved once more.', 1, '2026-01-01T00:00:00.000Z'); UPDATE releases SET review_reason = 'Approved once more.' WHERE id = ${crc32}`,
        'are not a valid sequence',
      ],
      [
        'different review notes',
        `UPDATE releases SET review_reason = 'Not what was decided.' WHERE id = ${crc32}`,
        'its review notes differ from those of its last decision',
      ],
      [
        'an invalid time of a decision',
        `UPDATE decisions SET decided_at = 'soon' WHERE release_id = ${crc32}`,
        'decided_at cannot be read',
      ],
      [
        'the time of a submission',
        `UPDATE releases SET created_at = 'soon' WHERE id = ${crc32}`,
        'created_at cannot be read',
      ],
      [
        'the first submitter of a name',
        "UPDATE skill_names SET owner_id = 3 WHERE name = 'crc32'",
        'names: the first submitter of crc32 is not the publisher of its first release',
      ],
      [
        'a name without an owner',
        "UPDATE name_owners SET ended_at = since, ended_by = person_id WHERE name = 'rot13'",
        'names: rot13 has no owner',
      ],
      [
        'a publisher who never owned the name',
        "UPDATE name_owners SET person_id = 1 WHERE name = 'csv-to-json'",
        'its publisher was never an owner of its name',
      ],
      [
        'evidence that is not JSON',
        `UPDATE decision_evidence SET evidence = 'x' WHERE decision_id = ${anyEvidence}`,
        'evidence cannot be read: is not JSON',
      ],
      [
        'an invalid manifest and stored response',
        `UPDATE release_manifests SET manifest = x'00' WHERE release_id = ${crc32}; UPDATE release_bodies SET body = x'00' WHERE release_id = ${crc32}`,
        'The manifest is not',
      ],
      ['the text of a post', "UPDATE posts SET content = '{}' WHERE id = 1", 'its draft cannot be read'],
      [
        'the published text of a post',
        "UPDATE post_versions SET content = 'x'",
        'content cannot be read: is not JSON',
      ],
      ['the size of an image', 'UPDATE images SET width = -1', 'width cannot be read: must be at least'],
      ['a missing table', 'DROP TABLE canned_reasons', 'schema: the table canned_reasons is missing'],
      [
        'a table with an additional column',
        'ALTER TABLE people ADD COLUMN password TEXT',
        'schema: the table people differs',
      ],
      [
        'the time of a token',
        "INSERT INTO tokens VALUES ('j', 1, 'l', NULL, 'x', 'y', NULL, NULL)",
        'tokens j: created_at cannot be read',
      ],
    ],
    [
      [
        'a different decision',
        `UPDATE decisions SET action = 'rejected' WHERE release_id = ${crc32}`,
        'but its last decision is rejected',
      ],
      [
        'a verdict that does not follow from the runs',
        `UPDATE decision_evidence SET evidence = replace(evidence, '"passed":true', '"passed":false') WHERE decision_id = ${anyEvidence}`,
        'does not match its runs',
      ],
      [
        'the text of a project',
        "UPDATE projects SET content = '[]' WHERE id = 1",
        'its content cannot be read',
      ],
      [
        'a row that refers to nothing',
        "UPDATE tokens SET person_id = 99; INSERT INTO tokens VALUES ('j', 99, 'l', NULL, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', NULL, NULL)",
        'of tokens refers to a missing row of people',
      ],
    ],
    [
      [
        'a different decision and status',
        `UPDATE decisions SET action = 'rejected' WHERE release_id = ${crc32}; UPDATE releases SET status = 'rejected' WHERE id = ${crc32}`,
        'says rejected by person',
      ],
      [
        'evidence for other bytes',
        `UPDATE decision_evidence SET evidence = json_set(evidence, '$.observation.sha256', '${'0'.repeat(64)}') WHERE decision_id = ${anyEvidence}`,
        'is for different bytes or examples',
      ],
    ],
    [
      [
        'another person in an event',
        "UPDATE history SET person_id = 1 WHERE kind = 'person.added'",
        'says person.added by person 1, but the transparency log says person.added by person null',
      ],
      [
        'an event that did not happen',
        "INSERT INTO history (at, kind, person_id, name) VALUES ('2026-01-01T00:00:00.000Z', 'settings.changed', 1, 'settings')",
        '(settings.changed) is not in the transparency log',
      ],
    ],
    [
      [
        'a decision at another time',
        `UPDATE decisions SET decided_at = '2020-01-01T00:00:00.000Z' WHERE release_id = ${crc32}`,
        'says approved by person',
      ],
    ],
    [
      [
        'a missing decision',
        `UPDATE releases SET status = 'pending', review_reason = NULL, last_decision = NULL WHERE id = ${crc32}; DELETE FROM decision_evidence WHERE decision_id IN (SELECT id FROM decisions WHERE release_id = ${crc32}); DELETE FROM decisions WHERE release_id = ${crc32}`,
        'is recorded here but not stored anywhere else',
      ],
    ],
  ])('round %#', async (...round) => {
    const folder = tamperedDemo(statementsOf(round))
    expectFound(round, await problemsOf(folder))
    await repair(folder)
    expectFound(round, await problemsOf(folder))
  })
})

/** All derived rows, without times of checks and numbers of events. */
function derivedRows(folder: string): unknown {
  const database = new Sqlite(join(folder, 'skilldock.db'), { readonly: true })
  const rows = [
    'SELECT * FROM release_manifests',
    'SELECT * FROM release_bodies',
    'SELECT * FROM release_texts',
    'SELECT release_id, version, findings, errors, warnings FROM release_checks',
    'SELECT * FROM release_modules',
    'SELECT * FROM skill_names',
    'SELECT at, kind, person_id, release_id, ref FROM history ORDER BY release_id, kind, ref',
    'SELECT sha256, type FROM images',
    'SELECT image, step, type FROM renditions',
    'SELECT * FROM image_uses',
    'SELECT id, title, slug FROM posts',
    'SELECT * FROM post_slugs',
    'SELECT id, author FROM projects',
    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'release_grams_%' ORDER BY name",
    "SELECT rowid FROM release_grams WHERE release_grams MATCH 'x630072006300' ORDER BY rowid",
  ].map((sql) => database.prepare(sql).raw().all())
  database.close()
  return rows
}

test('verify --repair: reports what it did, makes a backup that can be verified, and then what is left', async () => {
  const folder = tamperedDemo('DELETE FROM release_texts; DROP TRIGGER desk_decision')
  const found = await skilldockHere(folder, ['verify'])
  expect(found.status).toBe(1)
  expect(found.stdout).toContain('can be repaired. Stop the server and run: skilldock verify --repair\n')
  const run = await skilldockHere(folder, ['verify', '--repair'])
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.stdout).toContain('fixed   schema: the trigger desk_decision is missing\n')
  expect(run.stdout).toMatch(/No problems found\.\n$/)
  const backup = /^backup {2}(.*\.tar)$/m.exec(run.stdout)?.[1] ?? ''
  const before = await skilldockHere(folder, ['verify', backup])
  expect(before.stdout).toContain('error   schema: the trigger desk_decision is missing\n')
  const again = await skilldockHere(folder, ['verify', '--repair'])
  expect(again.stdout).not.toContain('backup')
})

test('verify --repair: names what it cannot repair, with status 1', async () => {
  const folder = tamperedDemo(
    `DELETE FROM release_bodies; UPDATE releases SET status = 'revoked' WHERE id = ${crc32}`,
  )
  const run = await skilldockHere(folder, ['verify', '--repair'])
  expect(run).toMatchObject({ status: 1, stderr: '' })
  expect(run.stdout).toContain('error   crc32 1.0.1: it is revoked, but its last decision is approved\n')
  expect(run.stdout).toContain("What can't be repaired must be restored from a backup")
})

test('verify --repair: refuses while a server runs, and changes nothing', async () => {
  const folder = tamperedDemo('DELETE FROM release_texts')
  const server = await serve(folder)
  const run = await skilldockHere(folder, ['verify', '--repair'])
  expect(run.status).toBe(4)
  expect(run.stderr).toContain('A server is running on the data folder')
  await server.stop()
  expect(existsSync(join(folder, 'backups'))).toBe(false)
})

test('verify --repair: repairs the rest even if a package is damaged', async () => {
  const folder = tamperedDemo('DELETE FROM release_texts')
  rmSync(join(folder, 'packages', readdirSync(join(folder, 'packages'))[0] ?? ''))
  const { backups } = await repair(folder)
  expect(backups[0]).toMatch(/before-repair-.*\.db$/)
  expect(await problemsOf(folder)).toEqual([expect.stringMatching(/^packages\/.* is missing$/)])
})

test('verify --repair: never changes a backup', async () => {
  const run = await skilldockHere(demo, ['verify', '--repair', 'some.tar'])
  expect(run).toMatchObject({ status: 2 })
  expect(run.stderr).toContain("A backup can't be repaired,")
})
