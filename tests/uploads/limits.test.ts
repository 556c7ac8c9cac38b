import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { createImageLibrary } from '../../src/server/domains/uploads/image-library.service.ts'
import { createImageUses } from '../../src/server/domains/uploads/image-uses.service.ts'
import { createMutex } from '../../src/server/domains/uploads/mutex.rules.ts'
import { createLocalFileStore } from '../../src/server/storage/local-file-store.ts'
import { decideProject, submitProject } from '../support/server/content.ts'
import { signIn, withDatabase } from '../support/desk/desk-client.ts'
import { noise } from '../support/fixtures/pictures.ts'
import type { Bytes } from '../support/fixtures/pictures.ts'
import { connectRaw } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { blogUpload, pictureFiles, showcaseUpload, upload } from '../support/server/uploads.ts'
import type { UploadAnswer, UploadWords } from '../support/server/uploads.ts'

let app: TestRegistry
afterEach(() => app.stop())

const picture = async (): Promise<Bytes> => Buffer.from(await noise(120, 80).png().toBuffer())
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const send = (bytes: Uint8Array, words?: UploadWords): Promise<UploadAnswer> =>
  upload(`${app.registry}${showcaseUpload}`, bytes, words)
const toBlog = (bytes: Uint8Array): Promise<UploadAnswer> =>
  upload(`${app.registry}${blogUpload}`, bytes, { token: app.administrator })

const hourMs = 3_600_000
/** Sweeps as in that many hours from now; gives how many pictures went. */
const sweepIn = async (hours: number): Promise<number> => (await sweepAt(hours))[0] ?? 0
/** The same several times, one after the other, by one process. */
const sweepAt = async (...times: number[]): Promise<number[]> => {
  const paths = dataPaths(app.folder)
  const database = openDatabase(paths.database)
  let now = 0
  const library = createImageLibrary({
    database,
    pictures: await createLocalFileStore(paths.pictures),
    runExclusive: createMutex(),
    clock: () => new Date(Date.now() + now * hourMs),
  })
  const removed: number[] = []
  for (const hours of times) {
    now = hours
    // oxlint-disable-next-line no-await-in-loop
    removed.push(await library.sweep())
  }
  database.close()
  return removed
}

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

  test('are so many bytes as long as no approved project uses them', async () => {
    const [one, two, three] = [await picture(), await picture(), await picture()]
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(one.length * 2.5) } })
    expect([(await send(one)).status, (await send(two)).status]).toEqual([200, 200])
    const refused = await send(three)
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    // Until the oldest of them is a day old.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await toBlog(three)).status).toBe(200)

    expect(refused.body.error).toContain('submit your project without images')

    const desk = await signIn(app, 'rita')
    const id = await submitProject(app, { pictures: [{ sha256: digest(one), alt: 'It' }] })
    expect((await send(three)).status).toBe(429)
    await decideProject(desk, id, 'rejected')
    expect((await send(three)).status).toBe(429)
    await decideProject(desk, id)
    expect((await send(await picture())).status).toBe(200)
    await decideProject(desk, id, 'rejected')
    expect((await send(await picture())).status).toBe(429)
    // With the project its pictures are left to the sweep.
    expect((await desk.send('DELETE', `/projects/${id}`)).status).toBe(200)
    expect((await send(await picture())).status).toBe(429)
    expect(await sweepIn(25)).toBe(3)
    expect((await send(await picture())).status).toBe(200)
  })

  test('are bounded also where pending projects use all of them, and 429 names a time then', async () => {
    const bytes = await picture()
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(bytes.length * 1.5) } })
    expect((await send(bytes)).status).toBe(200)
    await submitProject(app, { pictures: [{ sha256: digest(bytes), alt: 'It' }] })
    const refused = await send(await picture())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  })

  test('do not count as soon as a post uses them', async () => {
    const bytes = await picture()
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(bytes.length * 1.5) } })
    expect((await send(bytes)).status).toBe(200)
    expect((await send(await picture())).status).toBe(429)
    await withDatabase(app, ({ transact, writer }) =>
      transact(() => createImageUses(writer).recordUses('post', 1, [digest(bytes)])),
    )
    expect((await send(await picture())).status).toBe(200)
  })

  test('are at most six at once of one client, by the upload and the form alike, then 429', async () => {
    app = await startTestRegistry({ config: { showcaseUploadsPerHour: 1000, trustProxy: ['127.0.0.1'] } })
    const boundary = 'slow'
    const head = (name: string): string =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="x.png"\r\n\r\nx`
    const slow = async (path: string, part: string, address: string): Promise<RawClient> => {
      const client = await connectRaw(app.registry)
      await client.send(
        `POST ${path} HTTP/1.1\r\nHost: ${new URL(app.registry).host}\r\nX-Forwarded-For: ${address}\r\n` +
          `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 5000\r\n\r\n${head(part)}`,
      )
      return client
    }
    const from = async (address: string) => {
      const { status, headers, body } = await send(png, { headers: { 'X-Forwarded-For': address } })
      return { status, wait: headers.get('retry-after'), error: body.error }
    }
    const png = await picture()
    const address = '192.0.2.1'
    const clients: RawClient[] = []
    for (let count = 1; count <= 6; count += 1) {
      const [path, part] = count > 3 ? ['/showcase/submit', 'picture1'] : [showcaseUpload, 'image']
      // oxlint-disable-next-line no-await-in-loop
      clients.push(await slow(path, part, address))
    }
    await expect.poll(() => from(address)).toMatchObject({ status: 429, wait: '2' })
    expect((await from(address)).error).toContain('6 image uploads in progress')
    // The proxy itself is no address of a client.
    expect((await from('192.0.2.2')).status).toBe(200)
    clients.pop()?.destroy()
    await expect.poll(async () => (await from(address)).status).toBe(200)
    for (const client of clients) client.destroy()
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

  test('dated ahead by a wrong clock goes a day after that is noticed, and blocks others for no longer', async () => {
    app = await startTestRegistry({ config: { showcaseUnusedBytes: 1 } })
    const bytes = await picture()
    const database = openDatabase(dataPaths(app.folder).database)
    await toBlog(bytes)
    database.writer
      .prepare('UPDATE images SET uploaded_by = NULL, uploaded_at = ?')
      .run(new Date(Date.now() + 365 * 24 * hourMs).toISOString())
    database.close()
    const refused = await send(await picture())
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
    expect(await sweepAt(0, 23, 25)).toEqual([0, 0, 1])
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
