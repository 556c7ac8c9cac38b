import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manifest } from '../../../../../tests/support/server/publish.ts'
import { dataPaths, initializeDataFolder } from '../../../data-folder/data-folder.ts'
import { openDatabase } from '../../../db/database.ts'
import type { Database } from '../../../db/database.ts'
import { identityRepository } from '../../identity/identity.repository.ts'
import { releaseRepository } from '../releases.repository.ts'
import { checksRepository } from './checks.repository.ts'
import { createReleaseChecks } from './release-checks.service.ts'

let folder: string
let database: Database
let mira: number
let noor: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-checks-'))
  const paths = dataPaths(folder)
  initializeDataFolder(paths)
  database = openDatabase(paths.database)
  const people = identityRepository(database.writer)
  ;[mira, noor] = await database.transact(
    () =>
      ['mira', 'noor'].map((subject) =>
        people.insertPerson({
          issuer: 'skilldock',
          subject,
          name: subject,
          role: 'developer',
          createdAt: '',
        }),
      ) as [number, number],
  )
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const insert = (name: string, ownerId: number, sha256 = name): number =>
  releaseRepository(database.writer).insertRelease(
    { name, version: '1.0.0', ownerId, sha256, size: 1000, createdAt: '' },
    JSON.stringify(manifest({ name })),
  )

describe('saving the results', () => {
  const subject = { id: 0, name: 'upper', status: 'pending', sha256: 'same' } as const

  test('reads the registry again only after a commit', async () => {
    const checks = createReleaseChecks(database)
    const saved = (from: ReturnType<typeof checks.see>): boolean =>
      checks.save(insert('upper', noor, 'same'), { findings: [], seen: from, module: null })
    const seen = checks.see({ ...subject, ownerId: noor })
    const undone = database.transact(() => {
      // Not committed, so only a second look would find it.
      insert('other', mira, 'same')
      expect(saved(seen)).toBe(false)
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await database.transact(() => void insert('unrelated', mira))
    await database.transact(() => {
      expect(saved(seen)).toBe(false)
      return null
    })
  })

  test('reports a registry that changed', async () => {
    const checks = createReleaseChecks(database)
    const seen = checks.see({ ...subject, ownerId: noor })
    await database.transact(() => void insert('other', mira, 'same'))
    await database.transact(() => {
      const id = insert('upper', noor, 'same')
      expect(checks.save(id, { findings: [], seen, module: null })).toBe(true)
      return null
    })
  })
})

test('the characters after a prefix are those of the stored names, even of damaged ones', async () => {
  await database.transact(() => {
    for (const name of ['ab', 'abc', 'abz-9', 'ab-c', 'ab0', 'ab\u{1F4A3}', 'ab~', 'ac', 'b'])
      insert(name, mira)
  })
  const { lettersAfter } = checksRepository(database.reader)
  expect(['', 'a', 'ab', 'abz', 'abc', 'c'].map(lettersAfter)).toEqual(['ab', 'bc', '-0cz', '-', '', ''])
})
