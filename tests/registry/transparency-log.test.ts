import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareBackup } from '../../src/server/backup/create-backup.ts'
import { fromBackup, restoreInto } from '../../src/server/backup/restore-backup.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { leafHash } from '../../src/shared/log/hashes.ts'
import { verifyConsistency, verifyInclusion } from '../../src/shared/log/proofs.ts'
import { openNote, parseCheckpoint, parseVerifierKey } from '../../src/shared/log/signed-note.ts'
import type { Checkpoint } from '../../src/shared/log/signed-note.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { startTestServer } from '../support/server/server.ts'

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(async () => {
  await app.stop()
  await cleanUp()
})

const fetchText = async (path: string, registry = app.registry): Promise<string> =>
  (await fetch(`${registry}/api/skilldock/log/${path}`)).text()

async function readCheckpoint(registry = app.registry): Promise<Checkpoint> {
  const key = parseVerifierKey((await fetchText('key', registry)).trim())
  if (key === null) throw new Error('not a verifier key')
  const note = await fetchText('checkpoint', registry)
  const text = openNote(note, key, (publicKey, message, signature) => {
    const x = Buffer.from(publicKey).toString('base64url')
    return verify(
      null,
      message,
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
      signature,
    )
  })
  const checkpoint = text === null ? null : parseCheckpoint(text)
  if (checkpoint === null) throw new Error('not a signed checkpoint')
  return checkpoint
}

const read = (path: string) =>
  call<{ entries: string[]; hashes: string[]; code: string }>(`${app.registry}/api/skilldock/log/${path}`)

const readEntries = async (start: number, end: number): Promise<Buffer[]> =>
  (await read(`entries?start=${start}&end=${end}`)).body.entries.map((entry) => Buffer.from(entry, 'base64'))

const readHashes = async (path: string): Promise<Buffer[]> =>
  (await read(path)).body.hashes.map((hash) => Buffer.from(hash, 'base64'))

const typesFrom = async (start: number): Promise<unknown[]> =>
  (await readEntries(start, (await readCheckpoint()).size)).map(
    (entry) => (JSON.parse(entry.toString()) as { type: string }).type,
  )

test('a submission and its decisions are entries, and only approved and revoked releases are named', async () => {
  const { size } = await readCheckpoint()
  const refused = await app.submit({ name: 'never-approved' })
  await app.decide(refused, 'rejected')
  const id = await app.submit({ name: 'soon-public' })
  await app.decide(id, 'approved', 'revoked')
  expect(await typesFrom(size)).toEqual([
    'owner.added',
    'release.submitted',
    'release.rejected',
    'owner.added',
    'release.submitted',
    'release.approved',
    'release.revoked',
  ])
  const entries = await readEntries(size, size + 7)
  expect(JSON.parse(String(entries[5]))).toEqual({
    at: expect.any(String),
    detailsSha256: expect.stringMatching(/^[a-f0-9]{64}$/),
    name: 'soon-public',
    sha256: expect.stringMatching(/^[a-f0-9]{64}$/),
    type: 'release.approved',
    version: '1.0.0',
  })
  expect(entries.slice(3, 5).join('\n')).not.toContain('soon-public')
  const all = (await readEntries(0, size + 7)).join('\n')
  for (const hidden of ['never-approved', 'with good reason', 'alice', 'Alice', 'rita'])
    expect(all).not.toContain(hidden)
})

test('proves every entry in every tree, and every tree as the beginning of every later one', async () => {
  const roots: Uint8Array[] = []
  for (let { size, root } = await readCheckpoint(); size <= 20; { size, root } = await readCheckpoint()) {
    roots[size] = root
    await app.token({ subject: 'rita' })
  }
  const sizes = Object.keys(roots).map(Number)
  expect(sizes.length).toBeGreaterThan(5)
  const entries = await readEntries(0, 20)
  for (const size of sizes) {
    const root = roots[size] ?? new Uint8Array()
    for (const [index, entry] of entries.slice(0, size).entries()) {
      const hashes = await readHashes(`inclusion?index=${index}&size=${size}`)
      expect(verifyInclusion({ index, size, leaf: leafHash(entry), root, hashes })).toBe(true)
      expect(verifyInclusion({ index, size, leaf: leafHash(Buffer.from('other')), root, hashes })).toBe(false)
    }
    for (const from of sizes.filter((one) => one > 0 && one <= size)) {
      const hashes = await readHashes(`consistency?from=${from}&to=${size}`)
      const fromRoot = roots[from] ?? new Uint8Array()
      expect(verifyConsistency({ from, to: size, fromRoot, toRoot: root, hashes })).toBe(true)
    }
  }
  expect(await readHashes('consistency?from=7&to=7')).toEqual([])
})

test('numbers beyond the tree, and anything that is not a plain number, are 400', async () => {
  const { size } = await readCheckpoint()
  const beyond = size + 1
  const refused = [
    `entries?start=0&end=${beyond}`,
    'entries?start=2&end=1',
    'entries?start=-1&end=1',
    'entries?start=0&end=1.0',
    'entries?start=0&end=1e0',
    'entries?start=0&end=+1',
    'entries?start=0&end=01',
    'entries?start=0&start=0&end=1',
    'entries?start=0',
    `inclusion?index=${size}&size=${size}`,
    `inclusion?index=0&size=${beyond}`,
    'inclusion?index=0&size=0',
    'inclusion?index=0x0&size=1',
    `consistency?from=1&to=${beyond}`,
    'consistency?from=0&to=1',
    'consistency?from=2&to=1',
    'consistency?from=1&to=',
    'consistency?from=1&to=99999999999999999999',
  ]
  const replies = await Promise.all(refused.map((path) => read(path)))
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
    refused.map(() => [400, 'VALIDATION_FAILED']),
  )
  expect(await readEntries(size, size)).toEqual([])
  expect(await readEntries(0, size)).toHaveLength(size)
})

test('a change by the command line is logged', async () => {
  const { size } = await readCheckpoint()
  await withPeople((people) => people.addPerson({ subject: 'noor', role: 'developer' }), app.folder)
  await withPeople((people) => people.changeRole('noor', 'administrator'), app.folder)
  expect(await typesFrom(size)).toEqual(['person.added', 'person.changed'])
})

test('changed settings are logged without their values, and refused ones are not logged', async () => {
  const { size } = await readCheckpoint()
  await app.server.settings.save({ dailySubmissions: 4321 })
  await expect(app.server.settings.save({ dailySubmissions: -1 })).rejects.toThrow()
  expect(await typesFrom(size)).toEqual(['settings.changed'])
  expect(String(await readEntries(size, size + 1))).not.toContain('4321')
})

test('a checkpoint is saved soon after the log has grown', async () => {
  await app.token({ subject: 'rita' })
  const saved = join(app.folder, 'log-checkpoint')
  const current = await fetchText('checkpoint')
  await expect.poll(() => readFileSync(saved, 'utf8'), { timeout: 10_000 }).toBe(current)
})

test('a restart adds nothing, and neither does a restore', async () => {
  const before = await readCheckpoint()
  await app.server.stop()
  const again = await startTestServer({ folder: app.folder })
  try {
    expect(await readCheckpoint(again.registry)).toEqual(before)
  } finally {
    await again.server.stop()
  }
  const backup = join(temporaryFolder(), 'backup.tar')
  await prepareBackup(dataPaths(app.folder), backup, () => {}).run()
  const restored = temporaryFolder()
  await restoreInto(
    dataPaths(restored),
    fromBackup(backup, () => {}),
  )
  const other = await startTestServer({ folder: restored })
  try {
    expect(await readCheckpoint(other.registry)).toEqual(before)
  } finally {
    await other.server.stop()
  }
})
