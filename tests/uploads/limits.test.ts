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
import { noise } from '../support/fixtures/images.ts'
import type { Bytes } from '../support/fixtures/images.ts'
import { connectRaw } from '../support/server/raw-client.ts'
import type { RawClient } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { blogUpload, imageFiles, showcaseUpload, upload } from '../support/server/uploads.ts'
import type { UploadAnswer, UploadOptions } from '../support/server/uploads.ts'

let app: TestRegistry
afterEach(() => app.stop())

const newImage = async (): Promise<Bytes> => Buffer.from(await noise(120, 80).png().toBuffer())
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const send = (bytes: Uint8Array, options?: UploadOptions): Promise<UploadAnswer> =>
  upload(`${app.registry}${showcaseUpload}`, bytes, options)
const toBlog = (bytes: Uint8Array): Promise<UploadAnswer> =>
  upload(`${app.registry}${blogUpload}`, bytes, { token: app.administrator })

const hourMs = 3_600_000
/** Sweeps as if it were that many hours later; returns how many images were removed. */
const sweepIn = async (hours: number): Promise<number> => (await sweepAt(hours))[0] ?? 0
/** Sweeps at several times in sequence, in one process. */
const sweepAt = async (...times: number[]): Promise<number[]> => {
  const paths = dataPaths(app.folder)
  const database = openDatabase(paths.database)
  let now = 0
  const library = createImageLibrary({
    database,
    imageFiles: await createLocalFileStore(paths.pictures),
    runExclusive: createMutex(),
    clock: () => new Date(Date.now() + now * hourMs),
  })
  const removed: number[] = []
  for (const hours of times) {
    now = hours
    removed.push(await library.sweep())
  }
  database.close()
  return removed
}

describe('anonymous uploads', () => {
  test('are limited per hour and address, then 429 with Retry-After', async () => {
    app = await startTestRegistry({ config: { showcaseUploadsPerHour: 2, trustProxy: ['127.0.0.1'] } })
    const bytes = await newImage()
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
    // An IPv6 network counts as one address.
    expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:0:9::3')]).toEqual([
      200,
      200,
      [429, 'TOO_MANY_REQUESTS', true],
    ])
    expect(await from('2001:db8:0:1::1')).toBe(200)
    expect((await toBlog(bytes)).status).toBe(200)
  })

  test('count even if they are refused, so that the decoder cannot be kept busy', async () => {
    app = await startTestRegistry({ config: { showcaseUploadsPerHour: 2 } })
    const statuses: number[] = []
    for (const bytes of [Buffer.from('nothing'), Buffer.from('nothing'), await newImage()]) {
      statuses.push((await send(bytes)).status)
    }
    expect(statuses).toEqual([400, 400, 429])
  })

  test('are limited in bytes as long as no approved project uses them', async () => {
    const [one, two, three] = [await newImage(), await newImage(), await newImage()]
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
    expect((await send(await newImage())).status).toBe(200)
    await decideProject(desk, id, 'rejected')
    expect((await send(await newImage())).status).toBe(429)
    // Deleting the project leaves its images to the sweep.
    expect((await desk.send('DELETE', `/projects/${id}`)).status).toBe(200)
    expect((await send(await newImage())).status).toBe(429)
    expect(await sweepIn(25)).toBe(3)
    expect((await send(await newImage())).status).toBe(200)
  })

  test('are limited even if pending projects use all of them, with Retry-After', async () => {
    const bytes = await newImage()
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(bytes.length * 1.5) } })
    expect((await send(bytes)).status).toBe(200)
    await submitProject(app, { pictures: [{ sha256: digest(bytes), alt: 'It' }] })
    const refused = await send(await newImage())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  })

  test('do not count once a post uses them', async () => {
    const bytes = await newImage()
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(bytes.length * 1.5) } })
    expect((await send(bytes)).status).toBe(200)
    expect((await send(await newImage())).status).toBe(429)
    await withDatabase(app, ({ transact, writer }) =>
      transact(() => createImageUses(writer).recordUses('post', 1, [digest(bytes)])),
    )
    expect((await send(await newImage())).status).toBe(200)
  })

  test('are limited to six at once per client, through the API and the form together, then 429', async () => {
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
    const png = await newImage()
    const address = '192.0.2.1'
    const clients: RawClient[] = []
    for (let count = 1; count <= 6; count += 1) {
      const [path, part] = count > 3 ? ['/showcase/submit', 'picture1'] : [showcaseUpload, 'image']
      clients.push(await slow(path, part, address))
    }
    await expect.poll(() => from(address)).toMatchObject({ status: 429, wait: '2' })
    expect((await from(address)).error).toContain('You already have 6 image uploads')
    // The proxy itself does not count as a client.
    expect((await from('192.0.2.2')).status).toBe(200)
    clients.pop()?.destroy()
    await expect.poll(async () => (await from(address)).status).toBe(200)
    for (const client of clients) client.destroy()
  })

  test('count their bytes while they are in progress', async () => {
    const bytes = await newImage()
    app = await startTestRegistry({ config: { showcaseUnusedBytes: Math.floor(bytes.length * 1.5) } })
    const answers = await Promise.all([send(bytes), send(bytes), send(bytes)])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 429, 429])
  })
})

describe('an unused image', () => {
  test('is removed after a day with its renditions; images of administrators and used ones stay', async () => {
    app = await startTestRegistry()
    const [unused, used, own] = [await newImage(), await newImage(), await newImage()]
    const answer = await send(unused)
    const others = [await send(used), await toBlog(own)]
    const database = openDatabase(dataPaths(app.folder).database)
    await database.transact(() => createImageUses(database.writer).recordUses('post', 1, [digest(used)]))
    database.close()
    const all = await imageFiles(app.folder)
    expect(await sweepIn(23)).toBe(0)
    expect(await imageFiles(app.folder)).toEqual(all)
    expect(await sweepIn(25)).toBe(1)
    expect((await fetch(answer.body.url ?? '')).status).toBe(404)
    const left = await Promise.all(others.map(async ({ body }) => (await fetch(body.url ?? '')).status))
    expect(left).toEqual([200, 200])
    // Two images, each with the one rendition that small images have.
    expect(await imageFiles(app.folder)).toHaveLength(4)
  })

  test('stays for another day if it is uploaded again, and permanently if an administrator uploads it', async () => {
    app = await startTestRegistry()
    const bytes = await newImage()
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

  test('with a date in the future is removed a day after that is noticed, and blocks others no longer than that', async () => {
    app = await startTestRegistry({ config: { showcaseUnusedBytes: 1 } })
    const bytes = await newImage()
    const database = openDatabase(dataPaths(app.folder).database)
    await toBlog(bytes)
    database.writer
      .prepare('UPDATE images SET uploaded_by = NULL, uploaded_at = ?')
      .run(new Date(Date.now() + 365 * 24 * hourMs).toISOString())
    database.close()
    const refused = await send(await newImage())
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
    expect(await sweepAt(0, 23, 25)).toEqual([0, 0, 1])
  })

  test('is removed when the server starts', async () => {
    app = await startTestRegistry()
    await send(await newImage())
    await app.server.stop()
    const database = openDatabase(dataPaths(app.folder).database)
    database.writer.prepare('UPDATE images SET uploaded_at = ?').run(new Date(0).toISOString())
    database.close()
    const again = await startTestRegistry({ folder: app.folder })
    await expect.poll(() => imageFiles(app.folder)).toEqual([])
    await again.server.stop()
  })
})
