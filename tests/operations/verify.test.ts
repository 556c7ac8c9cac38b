import { readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { flipBit } from '../support/server/flip-bit.ts'

afterAll(cleanUp)

function placesOf(bytes: Buffer, text: string): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at)
  return places
}

/** All rows of a release as one text. */
function rowsOf(file: string): string {
  const database = new Sqlite(file, { readonly: true })
  const tables = ['people', 'releases', 'release_manifests', 'release_bodies', 'release_texts', 'decisions']
  const rows = tables.map((table) => database.prepare(`SELECT * FROM ${table}`).raw().all())
  database.close()
  return JSON.stringify(rows)
}

function changeRows(folder: string, ...statements: string[]): void {
  const database = new Sqlite(join(folder, 'skilldock.db'))
  database.pragma('foreign_keys = OFF')
  for (const statement of statements) expect(database.prepare(statement).run().changes).toBeGreaterThan(0)
  database.close()
}

function digestOf(folder: string, name: string, version: string): string {
  const database = new Sqlite(join(folder, 'skilldock.db'), { readonly: true })
  const sha256 = database.prepare('SELECT sha256 FROM releases WHERE name = ? AND version = ?').pluck()
  const digest = String(sha256.get(name, version))
  database.close()
  return digest
}

test('an intact folder: prints a summary with status 0, and changes nothing', async () => {
  const demo = await copyOfDemo()
  const before = readdirSync(demo)
  const bytes = readFileSync(join(demo, 'skilldock.db'))
  const run = await skilldockHere(demo, ['verify'])
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.stdout).toMatch(
    /^Releases {2}33 \(21 approved, 5 pending, 4 rejected, 3 revoked\)\nPackages {2}33, \d+\.\d KiB\nImages {4}5, \d+\.\d KiB including resized copies\nPeople {4}3\nNo problems found\.\n$/,
  )
  expect(readdirSync(demo)).toEqual(before)
  expect(readFileSync(join(demo, 'skilldock.db')).equals(bytes)).toBe(true)
})

test('a folder that a server is using', async () => {
  const folder = await copyOfDemo()
  const server = await serve(folder)
  expect((await skilldockHere(folder, ['verify'])).status).toBe(0)
  await server.stop()
})

test('no folder, no data: reports it and creates nothing', async () => {
  const folder = join(temporaryFolder(), 'nothing')
  const run = await skilldockHere(folder, ['verify'])
  expect(run).toMatchObject({ status: 1, stdout: '' })
  expect(run.stderr).toBe(`There is no Skilldock data in ${folder}. Set SKILLDOCK_DATA to the data folder.\n`)
  expect(readdirSync(join(folder, '..'))).toEqual([])
})

describe('package files', () => {
  test.each<[string, (file: string) => void, string]>([
    ['a flipped bit', (file) => flipBit(file, 100), 'has changed since it was submitted'],
    ['a missing file', (file) => rmSync(file), 'is missing'],
    ['a truncated file', (file) => truncateSync(file, 10), 'has 10 bytes instead of'],
  ])('%s: the release is named', async (_what, damage, problem) => {
    const folder = await copyOfDemo()
    const digest = digestOf(folder, 'crc32', '1.0.1')
    damage(join(folder, 'packages', digest))
    const run = await skilldockHere(folder, ['verify'])
    expect(run.status).toBe(1)
    expect(run.stdout).toContain(`error   packages/${digest}: the package of crc32 1.0.1 ${problem}`)
    expect(run.stdout).toContain('1 problem found.')
  })

  test('a file that no release uses is listed but not an error; an upload in progress is ignored', async () => {
    const folder = await copyOfDemo()
    const orphan = 'a'.repeat(64)
    writeFileSync(join(folder, 'packages', orphan), 'x')
    writeFileSync(join(folder, 'packages', 'b.part'), 'x')
    const run = await skilldockHere(folder, ['verify'])
    expect(run.status).toBe(0)
    expect(run.stdout).toContain(`unused  packages/${orphan}\n`)
    expect(run.stdout).not.toContain('.part')
    expect(run.stdout).toContain('Unused    1 file')
  })
})

/** The damage, the SQL that causes it, and what `verify` reports. */
type Damage = [what: string, statements: string[], problem: string]

describe('rows', () => {
  const approved = "name = 'crc32' AND version = '1.0.1'"
  const ofApproved = `release_id = (SELECT id FROM releases WHERE ${approved})`

  // Damage to different rows is done to one folder in one round; no expected text of a round is part of another.
  test.each<Damage[]>([
    [
      [
        'a status without a decision',
        [`UPDATE releases SET status = 'revoked' WHERE ${approved}`],
        'but its last decision is approved',
      ],
      [
        'different review notes',
        [`UPDATE releases SET review_reason = 'Not what was decided.' WHERE ${approved}`],
        'its review notes differ from those of its last decision',
      ],
      [
        'another size',
        [`UPDATE releases SET size = size + 1 WHERE ${approved}`],
        'its stored response does not match its row and manifest',
      ],
      [
        'another digest',
        [`UPDATE releases SET sha256 = '${'0'.repeat(64)}' WHERE ${approved}`],
        'is missing',
      ],
      [
        'another owner',
        [`UPDATE releases SET owner_id = 3 WHERE ${approved}`],
        'its publisher was never an owner of its name',
      ],
      [
        'a post whose text violates the schema',
        ['UPDATE posts SET content = replace(content, \'"tags"\', \'"labels"\') WHERE id = 1'],
        'post 1 “A registry with human review”: its draft cannot be read',
      ],
      [
        'a post whose title differs from its text',
        ["UPDATE posts SET title = 'Other' WHERE id = 2"],
        'its title or slug differs from its draft',
      ],
      [
        'a published post without its slug',
        ['DELETE FROM post_slugs WHERE post_id = 1'],
        'it does not reserve the slug of its published version',
      ],
      [
        'a post with the published version of another one',
        [
          'UPDATE posts SET published_version = (SELECT published_version FROM posts WHERE id = 2) WHERE id = 1',
        ],
        'its published version belongs to another post',
      ],
      [
        'images of a post that are not recorded',
        ["DELETE FROM image_uses WHERE kind = 'post' AND owner_id = 1"],
        'the images recorded for it are not the ones it uses',
      ],
      [
        'a project whose author differs from its text',
        ["UPDATE projects SET author = 'Nobody' WHERE id = 1"],
        'its title, slug or author differs from its content',
      ],
      [
        'an approved project without a decision',
        ['UPDATE projects SET decided_at = NULL WHERE id = 1'],
        'it is approved, but has no decision',
      ],
      [
        'a row that refers to nothing',
        ['UPDATE tokens SET person_id = 99'],
        'of tokens refers to a missing row of people',
      ],
    ],
    [
      [
        'another time',
        [`UPDATE releases SET created_at = '2020-01-01T00:00:00.000Z' WHERE ${approved}`],
        'its stored response does not match its row and manifest',
      ],
      [
        'another decision',
        [`UPDATE decisions SET action = 'rejected' WHERE ${ofApproved}`],
        'but its last decision is rejected',
      ],
      [
        'no search text',
        [`DELETE FROM release_texts WHERE ${ofApproved}`],
        'its search text is missing or outdated',
      ],
      [
        'a draft whose slug is taken',
        ['UPDATE posts SET published_version = NULL, publish_at = NULL WHERE id = 1'],
        'it is a draft but reserves a slug',
      ],
    ],
    [
      [
        'another publisher',
        ["UPDATE people SET name = 'Tomas' WHERE subject = 'tomas'"],
        'its stored response does not match its row and manifest',
      ],
      [
        'no decision',
        [
          `UPDATE releases SET last_decision = NULL WHERE ${approved}`,
          `DELETE FROM decisions WHERE ${ofApproved}`,
        ],
        'but has no decision',
      ],
      [
        'a manifest of another version',
        [
          `UPDATE release_manifests SET manifest = CAST(replace(CAST(manifest AS TEXT), '"version":"1.0.1"', '"version":"1.0.2"') AS BLOB) WHERE ${ofApproved}`,
        ],
        'its manifest belongs to crc32 1.0.2',
      ],
    ],
    [
      [
        'a manifest that violates the schema',
        [
          `UPDATE release_manifests SET manifest = CAST(replace(CAST(manifest AS TEXT), '"pricing":"free"', '"pricing":"paid"') AS BLOB) WHERE ${ofApproved}`,
        ],
        'The manifest is invalid: pricing',
      ],
    ],
    [['no manifest', [`DELETE FROM release_manifests WHERE ${ofApproved}`], 'its manifest is missing']],
    [
      [
        'no stored response',
        [`DELETE FROM release_bodies WHERE ${ofApproved}`],
        'its stored response is missing',
      ],
    ],
  ])('round %#', async (...round) => {
    const folder = await copyOfDemo()
    expect((await skilldockHere(folder, ['token', '--subject', 'rita'])).status).toBe(0)
    changeRows(folder, ...round.flatMap(([, statements]) => statements))
    const run = await skilldockHere(folder, ['verify'])
    expect(round.filter(([, , problem]) => !run.stdout.includes(problem)).map(([what]) => what)).toEqual([])
    expect(run).toMatchObject({ status: 1, stderr: '' })
  })
})

describe('the database file', () => {
  test.each([
    ['in a manifest', 'Computes the CRC-32 checksum'],
    ['in review notes', 'Only the readme has changed, and it now points'],
    ['in the name of a publisher', 'Tomáš Novák'],
    ['in a search text', 'computes the crc-32 checksum'],
  ])('a flipped bit %s, wherever the text is stored', async (_what, text) => {
    const folder = await copyOfDemo()
    const file = join(folder, 'skilldock.db')
    const rows = rowsOf(file)
    let changed = 0
    for (const place of placesOf(readFileSync(file), text)) {
      flipBit(file, place)
      // Old copies of a text remain in unused space of a page, where they are not read.
      if (rowsOf(file) !== rows) {
        changed += 1
        expect((await skilldockHere(folder, ['verify'])).status).toBe(1)
      }
      flipBit(file, place)
    }
    expect(changed).toBeGreaterThan(0)
  })

  test('an overwritten page', async () => {
    const folder = await copyOfDemo()
    const file = join(folder, 'skilldock.db')
    const bytes = readFileSync(file)
    bytes.fill(0xff, 3 * 16_384, 8 * 16_384)
    writeFileSync(file, bytes)
    const run = await skilldockHere(folder, ['verify'])
    expect(run).toMatchObject({ status: 1, stderr: '' })
    expect(run.stdout).toContain('error   database: ')
  })

  test('a file that is not a database', async () => {
    const folder = await copyOfDemo()
    writeFileSync(join(folder, 'skilldock.db'), 'x'.repeat(100_000))
    const run = await skilldockHere(folder, ['verify'])
    expect(run).toMatchObject({ status: 1, stderr: '' })
    expect(run.stdout).toContain('error   database: it cannot be read completely: file is not a database')
  })

  test('of a newer Skilldock is not verified', async () => {
    const folder = await copyOfDemo()
    const database = new Sqlite(join(folder, 'skilldock.db'))
    database.pragma('user_version = 9999')
    database.close()
    const run = await skilldockHere(folder, ['verify'])
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toBe('The database was written by a newer Skilldock. Verify it with that version.\n')
  })
})

describe('other files', () => {
  test('a damaged or missing signing key', async () => {
    const folder = await copyOfDemo()
    const file = join(folder, 'signing-key.json')
    const key = JSON.parse(readFileSync(file, 'utf8')) as { x: string }
    writeFileSync(file, JSON.stringify({ ...key, x: 'A'.repeat(43) }))
    expect((await skilldockHere(folder, ['verify'])).stdout).toContain(
      'its public key does not match its private key',
    )
    rmSync(file)
    const run = await skilldockHere(folder, ['verify'])
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('signing-key.json: it is missing or cannot be read')
  })

  test('invalid settings', async () => {
    const folder = await copyOfDemo()
    writeFileSync(join(folder, 'settings.json'), '{"port": "many"}')
    const run = await skilldockHere(folder, ['verify'])
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('error   settings.json: ')
  })
})
