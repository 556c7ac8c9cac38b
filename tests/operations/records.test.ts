import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { parseRecord } from '../../src/server/domains/releases/records/release-record.rules.ts'
import type { ReleaseRecord } from '../../src/server/domains/releases/records/release-record.rules.ts'
import { noteKeyOf } from '../../src/server/storage/note-key.ts'
import { readSigningKey } from '../../src/server/storage/signing-key.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { flipBit } from '../support/server/flip-bit.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { insertManyReleases } from '../support/server/seed-many-releases.ts'

let folder: string
let app: TestRegistry
beforeEach(async () => {
  folder = temporaryFolder()
  app = await startTestRegistry({ folder })
})
afterEach(() => app.stop())
afterAll(cleanUp)

const pathOf = (id: number): string => join(dataPaths(folder).records, `${id}.note`)

/** The signed record of a release. */
function recordOf(id: number): ReleaseRecord {
  const text = noteKeyOf(readSigningKey(dataPaths(folder).signingKey)).open(readFileSync(pathOf(id), 'utf8'))
  const record = parseRecord(text ?? '')
  if (record === null) throw new Error(`${id}.note is not a signed record`)
  return record
}

const restart = async (between: () => void): Promise<void> => {
  await app.stop()
  between()
  app = await startTestRegistry({ folder })
}

describe('the record of a release', () => {
  test('is there when a submission is answered, and contains every decision when that is answered', async () => {
    const { body } = await publish(app.registry, app.developer, manifest({ name: 'crc32' }), app.wasm)
    expect(recordOf(body.id)).toMatchObject({
      id: body.id,
      name: 'crc32',
      version: '1.0.0',
      manifest: JSON.stringify(manifest({ name: 'crc32' })),
      owner: { subject: 'alice', name: 'Alice', removedAt: null },
      decisions: [],
    })
    await app.decide(body.id, 'approved')
    expect(recordOf(body.id).decisions.map(({ action }) => action)).toEqual(['approved'])
    await app.decide(body.id, 'revoked')
    expect(recordOf(body.id).decisions).toMatchObject([
      { action: 'approved', reason: 'It was approved with good reason.', decidedBy: { subject: 'rita' } },
      { action: 'revoked', reason: 'It was revoked with good reason.' },
    ])
  })

  test('has the owners of its name, and follows them and their names', async () => {
    const id = await app.release({ name: 'owned' }, 'approved')
    const bob = await app.token({ subject: 'bob', name: 'Bob' })
    const own = (path: string, token: string, body: unknown) =>
      call<{ id: number }>(`${app.registry}/api/skilldock${path}`, { token, method: 'POST', body })
    const first = { person: { subject: 'alice' }, addedBy: { subject: 'alice' }, endedAt: null }
    expect(recordOf(id).owners).toMatchObject([first])
    const { body } = await own('/names/owned/offers', app.developer, { kind: 'transfer', to: 'bob' })
    expect((await own(`/offers/${body.id}`, bob, { answer: 'accepted' })).status).toBe(200)
    expect(recordOf(id).owners).toMatchObject([
      { person: { subject: 'alice' }, endedAt: expect.any(String), endedBy: { subject: 'alice' } },
      { person: { subject: 'bob', name: 'Bob' }, addedBy: { subject: 'alice' }, endedAt: null },
    ])
    await app.token({ subject: 'bob', name: 'Bob Baker' })
    await app.submit({ name: 'another' })
    await expect.poll(() => recordOf(id).owners[1]?.person.name).toBe('Bob Baker')
  })

  test('contains control characters of a manifest as they were submitted', async () => {
    const description = 'Deletes \u007F and \u0085 and \u0001.'
    const { body, status } = await publish(app.registry, app.developer, manifest({ description }), app.wasm)
    expect(status).toBe(201)
    expect(JSON.parse(recordOf(body.id).manifest)).toMatchObject({ description })
  })

  test('has the new names of its publisher and its reviewers', async () => {
    const id = await app.release({}, 'approved')
    await app.token({ subject: 'rita', name: 'Rita Alvarez' })
    await app.token({ subject: 'alice', name: 'Alice Liddell' })
    // The command line changed the name; the records follow with the next change in the server.
    await app.submit({ version: '1.0.1' })
    await expect
      .poll(() => recordOf(id))
      .toMatchObject({
        owner: { name: 'Alice Liddell' },
        decisions: [{ decidedBy: { name: 'Rita Alvarez' } }],
      })
  })

  test.each<[string, () => void]>([
    [
      'was not written before the server was killed',
      () => rmSync(join(dataPaths(folder).records), { recursive: true }),
    ],
    ['was signed with a former key', () => rmSync(dataPaths(folder).signingKey)],
    ['is of another log', () => rmSync(dataPaths(folder).logKey)],
  ])('that %s is written at the next start', async (_what, change) => {
    const id = await app.release({}, 'approved')
    let former = ''
    await restart(() => {
      former = readFileSync(pathOf(id), 'utf8')
      change()
      rmSync(pathOf(id), { force: true })
    })
    await expect.poll(() => readdirSync(dataPaths(folder).records)).toContain(`${id}.note`)
    expect(recordOf(id).decisions).toHaveLength(1)
    expect(former).not.toBe('')
  })

  test('that cannot be written delays nothing and is written later', async () => {
    rmSync(dataPaths(folder).records, { recursive: true, force: true })
    writeFileSync(dataPaths(folder).records, 'a file where the folder should be')
    const id = await app.release({}, 'approved')
    await app.submit({ version: '1.0.1' })
    expect(app.logs.filter((line) => line.includes('signed records'))).toHaveLength(1)
    await restart(() => rmSync(dataPaths(folder).records))
    await expect.poll(() => readdirSync(dataPaths(folder).records)).toContain(`${id}.note`)
  })
})

test('a stop does not wait for the records of a large registry, and the next start continues', async () => {
  const releases = 10_000
  await withDatabase(app, ({ writer, transact }) => transact(() => insertManyReleases(writer, releases, 2)))
  const notes = (): number => readdirSync(dataPaths(folder).records).length
  await app.submit()
  await expect.poll(notes).toBeGreaterThan(100)
  let before = 0
  await restart(() => (before = notes()))
  expect(before).toBeLessThan(releases)
  await expect.poll(notes).toBeGreaterThan(before)
}, 120_000)

describe('verify', () => {
  const problems = async (): Promise<string[]> => {
    const { stdout } = await skilldockHere(folder, ['verify'])
    return stdout.split('\n').filter((line) => line.startsWith('error'))
  }

  test.each<[string, (id: number) => void, RegExp]>([
    ['a missing record', (id) => rmSync(pathOf(id)), /crc32 1\.0\.0 is missing or not signed/],
    ['a changed record', (id) => flipBit(pathOf(id), 60), /crc32 1\.0\.0 is missing or not signed/],
    [
      'a record that says something else than the database',
      () => {
        const database = new Sqlite(dataPaths(folder).database)
        database.exec("UPDATE decisions SET reason = 'Another reason.'")
        database.exec("UPDATE releases SET review_reason = 'Another reason.'")
        database.close()
      },
      /the record of crc32 1\.0\.0 differs from the database/,
    ],
  ])('reports %s, and --repair writes it again', async (_what, damage, sentence) => {
    const id = await app.release({ name: 'crc32' }, 'approved')
    await app.stop()
    expect(await problems()).toEqual([])
    damage(id)
    expect((await problems()).join('\n')).toMatch(sentence)
    const { stdout } = await skilldockHere(folder, ['verify', '--repair'])
    expect(stdout).toMatch(new RegExp(`^fixed .+${sentence.source}`, 'm'))
    expect((await problems()).join('\n')).not.toMatch(/record/)
  })

  test('reports no record that a server may be writing', async () => {
    const id = await app.submit({ name: 'crc32' })
    await app.stop()
    rmSync(pathOf(id))
    expect(await problems()).toHaveLength(1)
    // The log has the publisher with their token before the release.
    const { signingKey, logKey, records } = dataPaths(folder)
    const position = { log: noteKeyOf(readSigningKey(logKey)).name, entries: 2 }
    const note = noteKeyOf(readSigningKey(signingKey)).sign(`${JSON.stringify(position)}\n`)
    writeFileSync(join(records, 'position.note'), note)
    expect(await problems()).toEqual([])
  })

  test.each(['signing-key.json', 'log-key.json'])('reports a missing %s once', async (name) => {
    await app.release({ name: 'crc32' }, 'approved')
    await app.stop()
    rmSync(join(folder, name))
    expect(await problems()).toEqual([expect.stringContaining(`${name}: it is missing`)])
  })

  test('reports a record whose release is not in the database, which a repair keeps', async () => {
    const id = await app.release({ name: 'crc32' }, 'approved')
    await app.stop()
    writeFileSync(join(dataPaths(folder).records, '99.note'), readFileSync(pathOf(id)))
    expect(await problems()).toEqual(['error   records/99.note: crc32 1.0.0 is not in the database'])
    expect((await skilldockHere(folder, ['verify', '--repair'])).status).toBe(1)
    expect(readdirSync(dataPaths(folder).records)).toContain('99.note')
  })
})
