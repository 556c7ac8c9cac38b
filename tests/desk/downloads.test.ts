import { mkdtemp, rename, rm } from 'node:fs/promises'
import { get as openRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { databaseUnavailable } from '../../src/server/db/database-errors.ts'
import { createDownloadCounts } from '../../src/server/domains/releases/catalog/download-counts.service.ts'
import { createLogger } from '../../src/server/operations/logging.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { getDeskRelease, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const address = (name: string): string => `${app.api}/skills/${name}/1.0.0/package`
const download = async (url: string, init: RequestInit = {}): Promise<number> => {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response.status
}
const counted = async (id: number): Promise<number> => (await getDeskRelease(rita, id)).downloads

describe('downloads since approval', () => {
  test('are counted once they are complete and shown soon after', async () => {
    const id = await app.release({ name: 'counted' }, 'approved')
    const other = await app.release({ name: 'other' }, 'approved')
    expect(await counted(id)).toBe(0)
    // Less than half of a client's limit at once, because a slot is only freed shortly after its download.
    for (let round = 0; round < 5; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 6 }, () => download(address('counted'))))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    await until('all are counted', async () => (await counted(id)) === 30)
    await download(address('counted'))
    await until('one more is counted', async () => (await counted(id)) === 31)
    expect(await counted(other)).toBe(0)
  })

  test('include every complete public download up to a graceful stop', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skilldock-downloads-'))
    try {
      const first = await startTestRegistry({ folder })
      const big = padModule(first.wasm, 12_000_000)
      const id = await first.submit({ name: 'exact' }, first.developer, big)
      const url = `${first.api}/skills/exact/1.0.0/package`
      expect(await download(url)).toBe(404)
      await first.decide(id, 'approved')
      expect(await download(url, { method: 'HEAD' })).toBe(200)
      const token = { headers: { authorization: `Bearer ${first.administrator}` } }
      expect(await download(`${first.api}/review/exact/1.0.0/package`, token)).toBe(200)
      const desk = await (await signIn(first, 'rita')).open(`/releases/${id}/package`)
      expect((await desk.arrayBuffer()).byteLength).toBe(big.length)
      await giveUp(url)
      for (let n = 0; n < 3; n += 1) {
        expect(await download(url)).toBe(200)
      }
      await first.stop()
      const second = await startTestRegistry({ folder })
      expect((await getDeskRelease(await signIn(second, 'rita'), id)).downloads).toBe(3)
      await second.stop()
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('are written in batches, and wait while the database is unavailable', async () => {
    const id = await app.release({ name: 'lots' }, 'approved')
    await withDatabase(app, async (database) => {
      let writes = 0
      let isFull = false
      const counting: typeof database = {
        ...database,
        transact(work) {
          writes += 1
          if (!isFull) return database.transact(work)
          isFull = false
          return database.transact(() => {
            work()
            throw databaseUnavailable()
          })
        },
      }
      const counts = createDownloadCounts(counting, createLogger({ write: () => {} }))
      for (let n = 0; n < 1000; n += 1) counts.count(id)
      expect(writes).toBe(0)
      const { database: path } = dataPaths(app.folder)
      await rename(path, `${path}-aside`)
      const flushed = counts.flush()
      await until('a write was refused', () => writes > 0)
      counts.count(id)
      await rename(`${path}-aside`, path)
      await flushed
      expect(counts.countOf(id)).toBe(1001)
      await counts.flush()
      expect(counts.countOf(id)).toBe(1001)
      expect(writes).toBeLessThan(6)

      // The disk is full at the end of the transaction.
      isFull = true
      counts.count(id)
      await counts.flush()
      expect(counts.countOf(id)).toBe(1002)
    })
  })
})

/** Disconnects after the first bytes. */
function giveUp(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    openRequest(url, (response) => {
      response.once('data', () => response.destroy())
      response.once('close', () => resolve())
    }).once('error', reject)
  })
}
