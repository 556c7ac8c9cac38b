import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPaths, initializeDataFolder } from '../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { identityRepository } from '../../src/server/domains/identity/identity.repository.ts'
import { releaseRepository } from '../../src/server/domains/releases/releases.repository.ts'
import { releaseBody } from '../../src/server/domains/releases/releases.rules.ts'
import { cleanUp, projectRoot, start, temporaryFolder } from '../support/server/command-line.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'
import { manifest } from '../support/server/publish.ts'

const mebibyte = 1024 * 1024

/** MiB of packages in the larger folder. */
const large = Number(process.env['LARGE_BACKUP_MIB'] ?? 160)

/**
 * How much more memory a command may use for the larger folder than for 40 MiB in as many releases. The peak of the same
 * command differs by 40 MiB from run to run, because of the garbage that has not been collected yet.
 */
const moreBytes = 64 * mebibyte

/** Milliseconds. */
const timeoutMs = 120_000 + large * 400

let smallFolder: string
let largeFolder: string

beforeAll(async () => {
  smallFolder = join(temporaryFolder(), 'small')
  largeFolder = join(temporaryFolder(), 'large')
  await fill(smallFolder, large, 40)
  await fill(largeFolder, large, large)
}, timeoutMs)
afterAll(cleanUp)

/** Pending releases with manifests of 20 KB; the first `big` have a package of 1 MiB, the others of 8 bytes. */
async function fill(folder: string, releases: number, big: number): Promise<void> {
  const paths = dataPaths(folder)
  initializeDataFolder(paths)
  mkdirSync(paths.packages)
  const database = openDatabase(paths.database)
  const repository = releaseRepository(database.writer)
  const createdAt = new Date().toISOString()
  const owner = { issuer: 'skilldock', subject: 'seed', name: 'Seed', role: 'developer' as const, createdAt }
  await database.transact(() => {
    const ownerId = identityRepository(database.writer).insertPerson(owner)
    for (let i = 0; i < releases; i += 1) {
      const bytes = Buffer.alloc(i < big ? mebibyte : 8)
      bytes.writeUInt32LE(i)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      writeFileSync(join(paths.packages, sha256), bytes)
      const sent = manifest({ name: `seeded-${i}`, readme: 'A readme of some length. '.repeat(780) })
      const text = JSON.stringify(sent)
      const facts = { name: sent.name, version: sent.version, sha256, size: bytes.length, createdAt }
      const id = repository.insertRelease({ ...facts, ownerId }, text)
      repository.saveBody(
        id,
        releaseBody({ ...facts, id, status: 'pending', reviewReason: null }, text, {
          id: ownerId,
          name: 'Seed',
        }),
      )
    }
  })
  database.close()
}

/** Runs a command and returns its peak memory in bytes. */
async function peakOf(data: string, ...args: string[]): Promise<number> {
  const run = start(process.execPath, [join(projectRoot, 'out/main/cli.js'), ...args], {
    SKILLDOCK_DATA: data,
  })
  let peak = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${run.child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024)
    } catch {
      // The process has ended.
    }
  }, 3)
  const ended = await run.ended
  clearInterval(timer)
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  expect(peak).toBeGreaterThan(10 * mebibyte)
  return peak
}

const skip = process.platform === 'linux' ? '' : ` (${ALLOWED_SKIPS.otherSystem})`

test.skipIf(skip !== '')(
  `backup, verify and restore need no more memory for ${large} MiB of packages than for 40${skip}`,
  async () => {
    const files = {
      [smallFolder]: join(temporaryFolder(), 'b.tar'),
      [largeFolder]: join(temporaryFolder(), 'b.tar'),
    }
    const peaks: Record<string, number[]> = {}
    for (const data of [smallFolder, largeFolder]) {
      const file = files[data] ?? ''
      const restored = join(temporaryFolder(), 'data')
      for (const [folder, args] of [
        [data, ['backup', file]],
        [data, ['verify']],
        [data, ['verify', file]],
        [restored, ['restore', file]],
      ] as const) {
        const name = args.join(' ').replace(file, 'FILE')
        const peak = await peakOf(folder, ...args)
        peaks[name] = [...(peaks[name] ?? []), peak]
      }
      expect(readdirSync(join(restored, 'packages')).length).toBe(readdirSync(join(data, 'packages')).length)
    }
    expect(statSync(files[largeFolder] ?? '').size).toBeGreaterThan(large * mebibyte)
    for (const [name, [few = 0, many = 0]] of Object.entries(peaks)) {
      console.log(`${name}: ${Math.round(few / mebibyte)} MiB, then ${Math.round(many / mebibyte)} MiB`)
    }
    for (const [few = 0, many = 0] of Object.values(peaks)) expect(many - few).toBeLessThan(moreBytes)
  },
  timeoutMs,
)
