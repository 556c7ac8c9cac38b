import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { createImageLibrary } from '../../src/server/domains/uploads/image-library.service.ts'
import { createImageUses } from '../../src/server/domains/uploads/image-uses.service.ts'
import { createTurns } from '../../src/server/domains/uploads/turns.rules.ts'
import { createLocalFileStore } from '../../src/server/storage/local-file-store.ts'
import { noise } from '../support/pictures.ts'
import type { Bytes } from '../support/pictures.ts'
import { startTestRegistry } from '../support/registry.ts'
import type { TestRegistry } from '../support/registry.ts'
import { blogUpload, pictureFiles, showcaseUpload, upload } from '../support/uploads.ts'
import type { UploadAnswer, UploadWords } from '../support/uploads.ts'

let app: TestRegistry
afterEach(() => app.stop())

const picture = async (): Promise<Bytes> => Buffer.from(await noise(120, 80).png().toBuffer())
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const send = (bytes: Uint8Array, words?: UploadWords): Promise<UploadAnswer> =>
  upload(`${app.registry}${showcaseUpload}`, bytes, words)
const toBlog = (bytes: Uint8Array): Promise<UploadAnswer> =>
  upload(`${app.registry}${blogUpload}`, bytes, { token: app.administrator })

describe('uploads of strangers', () => {
  test('are so many an hour for each address, then 429 that says when', async () => {
    app = await startTestRegistry({ config: { showcaseUploadsPerHour: 2, trustProxy: ['127.0.0.1'] } })
    const bytes = await picture()
    const from = async (address: string) => {
      const { status, headers, body } = await send(bytes, { headers: { 'X-Forwarded-For': address } })
      return status === 200 ? 200 : [status, body.code, Number(headers.get('retry-after')) > 3500]
    }
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
      200,
      200,
      [429, 'TOO_MANY_REQUESTS', true],
    ])
    expect(await from('192.0.2.2')).toBe(200)
    // One network of the sixth version is one address.
    expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:0:9::3')]).toEqual([
      200,
      200,
      [429, 'TOO_MANY_REQUESTS', true],
    ])
    expect(await from('2001:db8:0:1::1')).toBe(200)
    expect((await toBlog(bytes)).status).toBe(200)
  })

  test('are counted also where they are refused, so that nobody keeps the decoder busy', async () => {
    app = await startTestRegistry({ config: { showcaseUploadsPerHour: 2 } })
    const statuses: number[] = []
    for (const bytes of [Buffer.from('nothing'), Buffer.from('nothing'), await picture()]) {
      // oxlint-disable-next-line no-await-in-loop
      statuses.push((await send(bytes)).status)
    }
    expect(statuses).toEqual([400, 400, 429])
  })

  test('are so many bytes as long as no project uses them', async () => {
    const [one, two, three] = [await picture(), await picture(), await picture()]
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(one.length * 2.5) } })
    expect([(await send(one)).status, (await send(two)).status]).toEqual([200, 200])
    const refused = await send(three)
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    // Until the oldest of them is a day old.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await toBlog(three)).status).toBe(200)

    const database = openDatabase(dataPaths(app.folder).database)
    const uses = createImageUses(database.writer)
    await database.transact(() => uses.recordUses('project', 7, [digest(one), 'f'.repeat(64)]))
    expect((await send(await picture())).status).toBe(200)
    await database.transact(() => uses.recordUses('project', 7, []))
    database.close()
    expect((await send(await picture())).status).toBe(429)
  })

  test('hold their bytes while they are on their way', async () => {
    const bytes = await picture()
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(bytes.length * 1.5) } })
    const answers = await Promise.all([send(bytes), send(bytes), send(bytes)])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 429, 429])
  })
})

describe('a picture that no project uses', () => {
  const hourMs = 3_600_000
  /** What the sweep would leave, that many hours from now. */
  const sweepIn = async (hours: number): Promise<number> => {
    const paths = dataPaths(app.folder)
    const database = openDatabase(paths.database)
    const library = createImageLibrary({
      database,
      pictures: await createLocalFileStore(paths.pictures),
      inTurn: createTurns(),
      clock: () => new Date(Date.now() + hours * hourMs),
    })
    const removed = await library.sweep()
    database.close()
    return removed
  }

  test('goes after a day with its copies; one of an administrator, and one that is used, stay', async () => {
    app = await startTestRegistry()
    const [strange, used, own] = [await picture(), await picture(), await picture()]
    const answer = await send(strange)
    const kept = [await send(used), await toBlog(own)]
    const database = openDatabase(dataPaths(app.folder).database)
    await database.transact(() => createImageUses(database.writer).recordUses('post', 1, [digest(used)]))
    database.close()
    const all = await pictureFiles(app.folder)
    expect(await sweepIn(23)).toBe(0)
    expect(await pictureFiles(app.folder)).toEqual(all)
    expect(await sweepIn(25)).toBe(1)
    expect((await fetch(answer.body.url ?? '')).status).toBe(404)
    const left = await Promise.all(kept.map(async ({ body }) => (await fetch(body.url ?? '')).status))
    expect(left).toEqual([200, 200])
    // Two pictures with the one copy that small pictures have.
    expect(await pictureFiles(app.folder)).toHaveLength(4)
  })

  test('stays for another day when it is sent again, and for good when an administrator sends it', async () => {
    app = await startTestRegistry()
    const bytes = await picture()
    const { body } = await send(bytes)
    const database = openDatabase(dataPaths(app.folder).database)
    const age = database.writer.prepare('UPDATE images SET uploaded_at = ?')
    const dayAgo = new Date(Date.now() - 25 * hourMs).toISOString()
    age.run(dayAgo)
    expect((await send(bytes)).status).toBe(200)
    expect(await sweepIn(0)).toBe(0)
    age.run(dayAgo)
    database.close()
    expect((await toBlog(bytes)).status).toBe(200)
    expect(await sweepIn(48)).toBe(0)
    expect((await fetch(body.url ?? '')).status).toBe(200)
  })

  test('goes with the start of the server', async () => {
    app = await startTestRegistry()
    await send(await picture())
    await app.server.stop()
    const database = openDatabase(dataPaths(app.folder).database)
    database.writer.prepare('UPDATE images SET uploaded_at = ?').run(new Date(0).toISOString())
    database.close()
    const again = await startTestRegistry({ folder: app.folder })
    await expect.poll(() => pictureFiles(app.folder)).toEqual([])
    await again.server.stop()
  })
})
