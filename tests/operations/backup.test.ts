import { spawnSync } from 'node:child_process'
import {
  cpSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import {
  cleanUp,
  projectRoot,
  serve,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { flipBit } from '../support/server/flip-bit.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { readTar } from '../support/server/read-tar.ts'
import { serveHere } from '../support/server/serve-here.ts'
import { until } from '../support/wait.ts'

let demo: string
let backup: string

beforeAll(async () => {
  demo = await copyOfDemo()
  writeFileSync(join(demo, 'settings.json'), '{"dailySubmissions": 100}')
  // A mirror of an agent project, which is not in backups because it is recreated when it is missing.
  for (const end of ['', '-journal']) writeFileSync(`${dataPaths(demo).agentsMirror}${end}`, 'a mirror')
  backup = newFile()
  expect(await skilldockHere(demo, ['backup', backup])).toMatchObject({ status: 0, stderr: '' })
})
afterAll(cleanUp)

function newFile(): string {
  return join(temporaryFolder(), 'backup.tar')
}

function newFolder(): string {
  return join(temporaryFolder(), 'data')
}

async function allReleases(server: Pick<Serving, 'registry'>, token: string): Promise<RegistryVersion[]> {
  const releases: RegistryVersion[] = []
  for (;;) {
    const url = `${server.registry}/api/marketplace/review?offset=${releases.length}`
    const { items } = (await call<{ items: RegistryVersion[] }>(url, { token })).body
    if (items.length === 0) return releases
    releases.push(...items)
  }
}

describe('the file', () => {
  test('can be read only by its owner, and nothing else is left behind', () => {
    if (process.platform !== 'win32') expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(backup))).toEqual(['backup.tar'])
    expect(readdirSync(demo).filter((name) => /-wal|-shm/.test(name))).toEqual([])
  })

  test('contains everything in the layout of a data folder, readable by any tar', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    expect(spawnSync('tar', ['xf', backup, '-C', folder]).status).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual([
      'log-checkpoint',
      'log-key.json',
      'manifest.json',
      'packages',
      'pictures',
      'settings.json',
      'signing-key.json',
      'skilldock.db',
    ])
    for (const name of ['log-checkpoint', 'log-key.json', 'settings.json', 'signing-key.json']) {
      expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(demo, name)))
    }
    for (const name of ['packages', 'pictures']) {
      expect(readdirSync(join(folder, name)).toSorted()).toEqual(readdirSync(join(demo, name)).toSorted())
    }
    expect((await skilldockHere(folder, ['verify'])).status).toBe(0)
  })

  test('never overwrites another one', async () => {
    const before = readFileSync(backup)
    const run = await skilldockHere(demo, ['backup', backup])
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain('already exists. Choose another name.')
    expect(readFileSync(backup).equals(before)).toBe(true)
  })

  test('passes verification', async () => {
    const run = await skilldockHere(newFolder(), ['verify', backup])
    expect(run).toMatchObject({ status: 0, stderr: '' })
    expect(run.stdout).toContain('Releases  33 (21 approved, 5 pending, 4 rejected, 3 revoked)')
  })

  test.each([
    [
      'a missing target folder',
      (): [string, string] => [demo, join(temporaryFolder(), 'no', 'such')],
      'does not exist. Create it first.',
    ],
    ['no data', (): [string, string] => [newFolder(), newFile()], 'There is no Skilldock data'],
  ])('%s: is reported', async (_what, make, message) => {
    const [data, file] = make()
    const run = await skilldockHere(data, ['backup', file])
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain(message)
    expect(existsSync(data)).toBe(data === demo)
  })

  test.each(['flipped', 'missing', 'cut'])(
    'a package that is %s: no backup is made, and the package is named',
    async (damage) => {
      const folder = newFolder()
      cpSync(demo, folder, { recursive: true })
      const name = readdirSync(join(folder, 'packages'))[5] ?? ''
      const path = join(folder, 'packages', name)
      if (damage === 'flipped') flipBit(path, 50)
      if (damage === 'missing') rmSync(path)
      if (damage === 'cut') truncateSync(path, 20)
      const file = newFile()
      const run = await skilldockHere(folder, ['backup', file])
      expect(run).toMatchObject({ status: 1, stdout: '' })
      expect(run.stderr).toContain(`packages/${name}: the package of `)
      expect(readdirSync(dirname(file))).toEqual([])
    },
  )

  test('a backup that is stopped leaves nothing behind', async () => {
    const file = newFile()
    const { child, ended } = start(process.execPath, [join(projectRoot, 'out/main/cli.js'), 'backup', file], {
      SKILLDOCK_DATA: demo,
    })
    await until('it has begun', () => readdirSync(dirname(file)).length > 0)
    child.kill('SIGTERM')
    const { status } = await ended
    // It may have finished before the signal.
    expect(readdirSync(dirname(file))).toEqual(status === 0 ? ['backup.tar'] : [])
  })
})

describe('while a server runs and takes submissions', () => {
  test('every backup is a consistent snapshot', async () => {
    const folder = newFolder()
    cpSync(demo, folder, { recursive: true })
    const server = await serve(folder, { SKILLDOCK_DAILY_SUBMISSIONS: '100000' })
    const administrator = await tokenHere(folder, '--subject', 'marta')
    const developer = await tokenHere(folder, '--subject', 'busy', '--name', 'Busy Developer')
    let published = 0
    const publisher = { isAtWork: true }
    const publishing = (async (): Promise<void> => {
      while (publisher.isAtWork) {
        const code = published % 250
        const wasm = await assembleWat(
          `(module (memory (export "memory") 1) (data (i32.const ${published}) "${code}") (func (export "_start")))`,
        )
        const reply = await publish(
          server.registry,
          developer,
          manifest({ name: 'busy', version: `1.0.${published}` }),
          wasm,
        )
        expect(reply.status).toBe(201)
        published += 1
      }
    })()
    const files: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const file = newFile()
      const before = published
      expect(await skilldock(folder, ['backup', file])).toMatchObject({ status: 0, stderr: '' })
      expect(await skilldock(folder, ['verify'])).toMatchObject({ status: 0, stderr: '' })
      await until('another release has been published', () => published > before)
      files.push(file)
    }
    publisher.isAtWork = false
    await publishing
    const live = (await allReleases(server, administrator)).toReversed()
    await server.stop()

    const sizes: number[] = []
    for (const file of files) {
      const restored = newFolder()
      expect(await skilldockHere(restored, ['restore', file])).toMatchObject({ status: 0, stderr: '' })
      expect(await skilldockHere(restored, ['verify'])).toMatchObject({ status: 0 })
      const again = await serveHere(restored)
      // Earlier tokens are valid, and the releases are those that existed at the time of the backup.
      const releases = (await allReleases(again, administrator)).toReversed()
      expect(releases).toEqual(live.slice(0, releases.length))
      sizes.push(releases.length)
      await again.stop()
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(sizes[0]).toBeGreaterThanOrEqual(33)
    expect(sizes.at(-1)).toBeGreaterThan(sizes[0] ?? 0)
  })
})

describe('a restored folder', () => {
  test('serves the same packages, and accepts old tokens but no revoked ones', async () => {
    const folder = newFolder()
    cpSync(demo, folder, { recursive: true })
    const token = await tokenHere(folder, '--subject', 'tomas', '--label', 'valid')
    const ended = await tokenHere(folder, '--subject', 'tomas', '--label', 'ended')
    const tokens = JSON.parse(
      (await skilldockHere(folder, ['people', 'tokens', 'tomas', '--json'])).stdout,
    ) as {
      jti: string
      label: string
    }[]
    await skilldockHere(folder, [
      'people',
      'revoke',
      tokens.find(({ label }) => label === 'ended')?.jti ?? '',
    ])
    const file = newFile()
    expect((await skilldockHere(folder, ['backup', file])).status).toBe(0)
    rmSync(folder, { recursive: true })

    const restored = newFolder()
    expect((await skilldockHere(restored, ['restore', file])).status).toBe(0)
    const server = await serveHere(restored)
    const mine = `${server.registry}/api/marketplace/mine`
    expect((await call<{ items: object[] }>(mine, { token })).body.items.length).toBeGreaterThan(10)
    expect((await call(mine, { token: ended })).body).toMatchObject({ code: 'TOKEN_REVOKED' })
    const download = await fetch(`${server.registry}/api/marketplace/skills/crc32/1.0.1/package`)
    expect(Buffer.from(await download.arrayBuffer()).toString('latin1')).toContain('1.0.1')
    for (const path of ['blog/pipes-between-modules', 'showcase/village-library']) {
      const document = await (await fetch(`${server.registry}/docs-markdown/${path}.md`)).text()
      const [image = ''] = /http[^\s)"]*\/media\/[\w.]+/.exec(document) ?? []
      expect((await fetch(image)).status, path).toBe(200)
    }
    await server.stop()
    if (process.platform === 'win32') return
    expect(statSync(join(restored, 'signing-key.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(restored).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.each([
    [
      'a folder that is not empty',
      (): string => {
        const folder = newFolder()
        mkdirSync(folder)
        writeFileSync(join(folder, 'mine.txt'), 'mine')
        return folder
      },
    ],
    ['a data folder', (): string => demo],
  ])('%s is refused and left unchanged', async (_what, make) => {
    const folder = make()
    const before = readdirSync(folder)
    const run = await skilldockHere(folder, ['restore', backup])
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain('is not empty')
    expect(readdirSync(folder)).toEqual(before)
  })

  test('leftovers of a killed restore are no obstacle', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, '.restore-abcdef', 'packages'), { recursive: true })
    writeFileSync(join(folder, 'server.lock'), '')
    expect((await skilldockHere(folder, ['restore', backup])).status).toBe(0)
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('a folder that a server is using is refused', async () => {
    const folder = newFolder()
    const server = await serve(folder)
    expect((await skilldockHere(folder, ['restore', backup])).status).toBe(1)
    await server.stop()
  })
})

describe('a damaged backup', () => {
  const restoreDamaged = async (damage: (file: string) => void): Promise<string> => {
    const file = newFile()
    copyFileSync(backup, file)
    damage(file)
    const folder = newFolder()
    const run = await skilldockHere(folder, ['restore', file])
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain('Nothing was restored.')
    expect(existsSync(folder)).toBe(false)
    return run.stderr
  }

  test('with a flipped bit in any kind of entry is refused with the name of the entry, and nothing is restored', async () => {
    const entries = readTar(backup)
    const kinds = [
      'manifest.json',
      'skilldock.db',
      'signing-key.json',
      'settings.json',
      'log-key.json',
      'log-checkpoint',
      entries.at(-1)?.name ?? '',
    ]
    for (const name of kinds) {
      const entry = entries.find((one) => one.name === name)
      if (entry === undefined) throw new Error(`There is no ${name}`)
      for (const place of [entry.header, entry.content, entry.content + entry.size - 1]) {
        expect(await restoreDamaged((file) => flipBit(file, place, 5))).toContain(`${name}: `)
      }
    }
  })

  test('leaves an existing empty folder empty', async () => {
    const file = newFile()
    copyFileSync(backup, file)
    flipBit(file, statSync(file).size - 1)
    const folder = temporaryFolder()
    const run = await skilldockHere(folder, ['restore', file])
    expect(run.status).toBe(1)
    expect(run.stderr).toContain('the end: the end marker has been changed')
    expect(readdirSync(folder)).toEqual([])
  })

  test('is reported by verify, with status 1', async () => {
    const file = newFile()
    copyFileSync(backup, file)
    flipBit(file, Math.floor(statSync(file).size / 2))
    const run = await skilldockHere(newFolder(), ['verify', file])
    expect(run).toMatchObject({ status: 1, stderr: '' })
    expect(run.stdout).toBe('error   skilldock.db: its content has been changed\n1 problem found.\n')
  })

  test.each([0, 100, 512, 5000, 800_000])('truncated at %d bytes is refused', async (length) => {
    await restoreDamaged((file) => truncateSync(file, length))
  })

  test('or a file that is not a backup is refused', async () => {
    const file = newFile()
    writeFileSync(file, 'x'.repeat(2000))
    const run = await skilldockHere(newFolder(), ['verify', file])
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('this is not a Skilldock backup')
  })
})
