import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, serve, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import type { Ended } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { serveHere } from '../support/server/serve-here.ts'

let demo: string
let backup: string

beforeAll(async () => {
  demo = await copyOfDemo()
  writeFileSync(join(demo, 'settings.json'), '{"dailySubmissions": 100}')
  backup = join(temporaryFolder(), 'backup.tar')
  expect((await skilldockHere(demo, ['backup', backup])).status).toBe(0)
})
afterAll(cleanUp)

const renames = ['rename', 'renameSync']
const opens = ['open']

/** Runs a command and kills it with SIGKILL before the nth call of any of these functions of `node:fs`. */
function killed(data: string, args: string[], functions: string[], nth: number): Promise<Ended> {
  const preload = join(projectRoot, 'tests/support/server/kill-before-call.mjs')
  return skilldock(data, args, {
    NODE_OPTIONS: `--import ${preload}`,
    KILL_BEFORE_CALL: `${functions.join(',')}:${nth}`,
  })
}

/** All files below a folder with their digests, without lock files. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && !/\.lock(?:-journal)?$/.test(name),
  )
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

const newData = (): string => join(temporaryFolder(), 'data')
const leftovers = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('.'))

const refusalOf = (data: string): string =>
  `A restore into ${data} was interrupted. Run it again: skilldock restore FILE. ` +
  'To start with an empty registry instead, delete everything in that folder.'
const refusedWith = (sentence: string): Ended => ({
  status: 1,
  signal: null,
  stdout: '',
  stderr: `${sentence}\n`,
})

/** What must be true wherever a restore was killed. */
async function expectRecoverable(data: string): Promise<void> {
  if (existsSync(join(data, 'skilldock.db'))) {
    const server = await serve(data)
    expect((await server.stop()).status).toBe(0)
  } else {
    const before = filesIn(data)
    const sentence = refusalOf(data)
    await expect(serveHere(data)).rejects.toThrow(sentence)
    const commands = [['token', '--subject', 'eve'], ['verify']]
    const refused = await Promise.all(commands.map((args) => skilldockHere(data, args)))
    expect(refused).toEqual(commands.map(() => refusedWith(sentence)))
    expect(filesIn(data)).toEqual(before)
    expect(await skilldockHere(data, ['restore', backup])).toMatchObject({ status: 0, stderr: '' })
  }
  expect(await skilldockHere(data, ['verify'])).toMatchObject({ status: 0, stderr: '' })
  expect(leftovers(data)).toEqual([])
  expect(readdirSync(join(data, 'pictures')).toSorted()).toEqual(
    readdirSync(join(demo, 'pictures')).toSorted(),
  )
}

// Each test starts up to nine processes.
describe('a restore that was killed', { timeout: 120_000 }, () => {
  // The marker, packages, images, settings, the signing key, the key and the checkpoint of the log, the database.
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'before rename %d of 8 is detected, and can be repeated',
    async (nth) => {
      const data = newData()
      expect((await killed(data, ['restore', backup], renames, nth)).signal).toBe('SIGKILL')
      expect(existsSync(join(data, 'skilldock.db'))).toBe(false)
      await expectRecoverable(data)
    },
  )

  test('makes serve end with the reason', async () => {
    const data = newData()
    await killed(data, ['restore', backup], renames, 4)
    expect(await skilldock(data, ['serve'])).toEqual(refusedWith(refusalOf(data)))
  })

  test('renames nothing else', async () => {
    const data = newData()
    expect((await killed(data, ['restore', backup], renames, 9)).status).toBe(0)
  })

  test.each([2, 5, 20, 36])('while reading the backup (file %d) has changed nothing', async (nth) => {
    const data = newData()
    expect((await killed(data, ['restore', backup], opens, nth)).signal).toBe('SIGKILL')
    await expectRecoverable(data)
  })

  test('can be killed again during the repetition', async () => {
    const data = newData()
    for (const nth of [4, 2, 6]) {
      expect((await killed(data, ['restore', backup], renames, nth)).signal).toBe('SIGKILL')
    }
    await expectRecoverable(data)
  })

  test('is still detected after a refused repetition', async () => {
    const data = newData()
    await killed(data, ['restore', backup], renames, 4)
    const half = join(temporaryFolder(), 'half.tar')
    writeFileSync(half, readFileSync(backup).subarray(0, -20_000))
    const refused = await skilldockHere(data, ['restore', half])
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('Nothing was restored.')
    await expectRecoverable(data)
  })

  test('is not repeated over other files', async () => {
    const data = newData()
    await killed(data, ['restore', backup], renames, 4)
    writeFileSync(join(data, 'mine.txt'), 'mine')
    const before = filesIn(data)
    const refused = await skilldockHere(data, ['restore', backup])
    expect(refused.stderr).toContain('is not empty (mine.txt)')
    expect(filesIn(data)).toEqual(before)
  })
})

describe('leftovers of a killed command', { timeout: 120_000 }, () => {
  test.each([
    ['at once', 1],
    ['in the middle', 30],
  ])('of a backup killed %s are removed by the next backup into that folder', async (_when, nth) => {
    const folder = temporaryFolder()
    const run = await killed(demo, ['backup', join(folder, 'monday.tar')], opens, nth)
    expect(run.signal).toBe('SIGKILL')
    expect(leftovers(folder)).toHaveLength(1)
    expect(await skilldockHere(demo, ['backup', join(folder, 'tuesday.tar')])).toMatchObject({ status: 0 })
    expect(readdirSync(folder)).toEqual(['tuesday.tar'])
  })

  test('are not confused with the files of a simultaneous backup', async () => {
    const folder = temporaryFolder()
    const names = ['a.tar', 'b.tar', 'c.tar']
    const runs = await Promise.all(names.map((name) => skilldock(demo, ['backup', join(folder, name)])))
    expect(runs.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      names.map(() => ({ status: 0, stderr: '' })),
    )
    expect(readdirSync(folder).toSorted()).toEqual(names)
  })

  test('of a verification of a backup are removed by the next one', async () => {
    const folder = temporaryFolder()
    const run = await skilldock(demo, ['verify', backup], {
      TMPDIR: folder,
      NODE_OPTIONS: `--import ${join(projectRoot, 'tests/support/server/kill-before-call.mjs')}`,
      KILL_BEFORE_CALL: 'open:3',
    })
    expect(run.signal).toBe('SIGKILL')
    expect(readdirSync(folder)).toHaveLength(1)
    expect((await skilldockHere(demo, ['verify', backup], { TMPDIR: folder })).status).toBe(0)
    expect(readdirSync(folder)).toEqual([])
  })

  test('of a restore into a complete data folder are removed by the next server', async () => {
    const data = newData()
    expect((await skilldockHere(data, ['restore', backup])).status).toBe(0)
    mkdirSync(join(data, '.restore-abcdef', 'packages'), { recursive: true })
    const server = await serve(data)
    await server.stop()
    expect(leftovers(data)).toEqual([])
  })
})
