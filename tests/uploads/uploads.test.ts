import { createHash } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { maxBlogImageBytes, maxShowcaseImageBytes } from '../../src/shared/contracts/images.ts'
import { multipartBody, multipartType } from '../support/server/multipart.ts'
import { noise, shortVideo, withPrivateChunk } from '../support/fixtures/images.ts'
import type { Bytes } from '../support/fixtures/images.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { blogUpload, imageFiles, showcaseUpload, upload } from '../support/server/uploads.ts'
import type { UploadAnswer, UploadOptions } from '../support/server/uploads.ts'

let app: TestRegistry
let jpeg: Bytes
let png: Bytes

beforeAll(async () => {
  app = await startTestRegistry({ paceWindowMs: 1000 })
  jpeg = Buffer.from(await noise(300, 200).jpeg().toBuffer())
  png = Buffer.from(await noise(200, 100).png().toBuffer())
})
afterAll(() => app.stop())

const toBlog = (bytes: Uint8Array, options: UploadOptions = {}): Promise<UploadAnswer> =>
  upload(`${app.registry}${blogUpload}`, bytes, { token: app.administrator, ...options })
const toShowcase = (bytes: Uint8Array, options: UploadOptions = {}): Promise<UploadAnswer> =>
  upload(`${app.registry}${showcaseUpload}`, bytes, options)

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
/** Health checks run every two seconds. */
const longTimeout = { timeout: 30_000 }

let tail = 0
/** An image that no other test uploads: bytes after its end do not change it. */
const fresh = (bytes = jpeg): Bytes => {
  tail += 1
  return Buffer.concat([bytes, Buffer.from(`tail ${tail}`)])
}

describe.each([
  ['blog', blogUpload, maxBlogImageBytes, toBlog],
  ['showcase', showcaseUpload, maxShowcaseImageBytes, toShowcase],
] as const)('POST to the %s', (_name, path, maxBytes, send) => {
  test('responds with 200 and the address and key of the image', async () => {
    const bytes = fresh()
    const { status, headers, body } = await send(bytes)
    const key = `uploads/${digest(bytes)}.jpg`
    expect({ status, body }).toEqual({ status: 200, body: { url: `${app.registry}/${key}`, key } })
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('determines the type from the bytes, not the name or media type', async () => {
    const { body } = await send(fresh(png), { fileName: 'evil.svg', type: 'text/html' })
    expect(body.key).toMatch(/\.png$/)
  })

  test('responds with 400 and the reason to a file that is not an image, and stores nothing', async () => {
    const before = await imageFiles(app.folder)
    const { status, body } = await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'INVALID_IMAGE', issues: [{ path: 'image' }] })
    expect(body.error).toMatch(/SVG/)
    expect(await imageFiles(app.folder)).toEqual(before)
  })

  test('quickly refuses text made to cause backtracking, without delaying the next image', async () => {
    // This once took 201 s of CPU time, longer than the timeout of a test.
    const [{ status, body }, next] = await Promise.all([send(Buffer.from('<?xml'.repeat(60))), send(fresh())])
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'INVALID_IMAGE',
      error: expect.stringContaining('an HTML or XML file'),
    })
    expect(next.status).toBe(200)
  })

  test('accepts an image of exactly the maximum size', async () => {
    const { status, body } = await send(withPrivateChunk(png, maxBytes - png.length - 12))
    expect([status, body.error]).toEqual([200, undefined])
  }, 60_000)

  test('responds with 400 to an image that is one byte larger, with and without a Content-Length', async () => {
    const before = await imageFiles(app.folder)
    const larger = withPrivateChunk(png, maxBytes - png.length - 11)
    expect(await send(larger)).toMatchObject({ status: 400, body: { code: 'BODY_TOO_LARGE' } })
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(multipartBody([{ name: 'image', data: larger, fileName: 'x.png' }]))
        controller.close()
      },
    })
    const chunked = {
      method: 'POST',
      headers: { 'Content-Type': multipartType, Authorization: `Bearer ${app.administrator}` },
      body: stream,
      duplex: 'half',
    }
    const response = await fetch(`${app.registry}${path}`, chunked)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'BODY_TOO_LARGE' }])
    expect(await imageFiles(app.folder)).toEqual(before)
  }, 60_000)

  test.each([
    ['no part', [], 'INVALID_MULTIPART'],
    ['the part as text', [{ name: 'image', data: 'x' }], 'INVALID_MULTIPART'],
    ['a part of another name', [{ name: 'file', data: 'x', fileName: 'x.png' }], 'INVALID_MULTIPART'],
    ['a part named like an inherited property', [{ name: 'constructor', data: 'x' }], 'INVALID_MULTIPART'],
    ['a part named __proto__', [{ name: '__proto__', data: 'x' }], 'INVALID_MULTIPART'],
    [
      'two parts',
      [
        { name: 'image', data: 'x', fileName: 'x.png' },
        { name: 'image', data: 'x', fileName: 'x.png' },
      ],
      'INVALID_MULTIPART',
    ],
  ])('responds with 400 to %s', async (_case, parts, code) => {
    const response = await fetch(`${app.registry}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': multipartType, Authorization: `Bearer ${app.administrator}` },
      body: multipartBody(parts),
    })
    expect([response.status, await response.json()]).toMatchObject([400, { code }])
  })

  test('responds with 400 to another type of body, and to one that is incomplete', async () => {
    const post = async (body: string, type: string, length?: number) => {
      const response = await fetch(`${app.registry}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': type, Authorization: `Bearer ${app.administrator}` },
        body:
          length === undefined
            ? body
            : new ReadableStream({
                // Never closed, so the rest does not arrive.
                start: (controller) => controller.enqueue(Buffer.from(body)),
              }),
        ...(length === undefined ? {} : { duplex: 'half' }),
      })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await post('{}', 'application/json')).toEqual([400, 'INVALID_MULTIPART'])
    const half = multipartBody([{ name: 'image', data: jpeg, fileName: 'x.jpg' }]).toString('latin1')
    expect(await post(half.slice(0, 500), multipartType, 1)).toEqual([400, 'BODY_INCOMPLETE'])
  })

  test('responds with 405 and the allowed methods to another method', async () => {
    const response = await fetch(`${app.registry}${path}`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test.skipIf(process.platform === 'win32')(
    'responds with 500 while the image folder is missing',
    async () => {
      const { pictures } = dataPaths(app.folder)
      await rename(pictures, `${pictures}.away`)
      try {
        const { status, headers, body } = await send(fresh())
        expect([status, body.code]).toEqual([500, 'STORAGE_UNAVAILABLE'])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(body.error).not.toContain(app.folder)
        await expect
          .poll(async () => {
            const health = await fetch(`${app.registry}/api/health`)
            return [health.status, ((await health.json()) as { status: string }).status]
          }, longTimeout)
          .toEqual([200, 'degraded'])
      } finally {
        await rename(`${pictures}.away`, pictures)
      }
      await expect.poll(async () => (await send(fresh())).status, longTimeout).toBe(200)
    },
  )

  test.skipIf(process.platform === 'win32')('responds with 500 while the database is missing', async () => {
    const { database } = dataPaths(app.folder)
    await rename(database, `${database}.away`)
    try {
      await expect
        .poll(async () => {
          const { status, body } = await send(fresh())
          return [status, body.code]
        })
        .toEqual([500, 'STORAGE_UNAVAILABLE'])
    } finally {
      await rename(`${database}.away`, database)
    }
    await expect.poll(async () => (await send(fresh())).status, longTimeout).toBe(200)
  })
})

describe('permission to upload to the blog', () => {
  const refused = async (token: string | undefined): Promise<unknown[]> => {
    const before = await imageFiles(app.folder)
    const { status, headers, body } = await upload(
      `${app.registry}${blogUpload}`,
      fresh(),
      token === undefined ? {} : { token },
    )
    expect(await imageFiles(app.folder)).toEqual(before)
    return [status, body.code, headers.get('www-authenticate')]
  }

  test('is denied with 403 without a token, with an invalid one, and with that of a developer', async () => {
    expect(await refused(undefined)).toEqual([403, 'TOKEN_MISSING', null])
    expect(await refused('nonsense')).toEqual([403, 'TOKEN_INVALID', null])
    expect(await refused(app.developer)).toEqual([403, 'FORBIDDEN', null])
  })

  test('is denied with 403 with an expired token and with the scope publish', async () => {
    const expired = await app.token({ subject: 'rita', life: 1 })
    await expect.poll(() => refused(expired)).toEqual([403, 'TOKEN_EXPIRED', null])
    expect(await refused(await app.token({ subject: 'rita', scope: 'publish' }))).toEqual([
      403,
      'SCOPE_INSUFFICIENT',
      null,
    ])
  })
})

describe('what is stored', () => {
  test('is one file for the same image, no matter who uploads it and how often', async () => {
    const bytes = fresh()
    const first = await toShowcase(bytes)
    const files = await imageFiles(app.folder)
    const answers = await Promise.all([
      toBlog(bytes),
      toShowcase(bytes),
      toBlog(bytes, { fileName: 'other.gif' }),
    ])
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, first.body]))
    expect(await imageFiles(app.folder)).toEqual(files)
  })

  test('is one file for the same image uploaded several times at once', async () => {
    const bytes = fresh()
    const before = await imageFiles(app.folder)
    const answers = await Promise.all([toBlog(bytes), toBlog(bytes), toBlog(bytes)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const added = (await imageFiles(app.folder)).filter((name) => !before.includes(name))
    // Only the image; its renditions are those of the image with another tail.
    expect(added).toEqual([digest(bytes)])
  })

  test('is repaired by uploading it again', async () => {
    const bytes = fresh()
    const { body } = await toBlog(bytes)
    const path = join(dataPaths(app.folder).pictures, digest(bytes))
    await rm(path)
    expect((await fetch(body.url ?? '')).status).toBe(503)
    await writeFile(path, 'something else')
    expect((await fetch(body.url ?? '')).status).toBe(503)
    expect((await toBlog(bytes)).status).toBe(200)
    expect((await fetch(body.url ?? '')).status).toBe(200)
  })

  test('is only the image, without temporary files', async () => {
    await toBlog(Buffer.concat([jpeg, shortVideo('+52.5166+013.4000/')]))
    expect((await imageFiles(app.folder)).filter((name) => !/^[a-f0-9]{64}$/.test(name))).toEqual([])
  })
})

describe('the address of an upload', () => {
  let bytes: Bytes
  let url: string
  beforeEach(async () => {
    bytes = fresh()
    url = (await toShowcase(bytes, { fileName: 'x.html', type: 'text/html' })).body.url ?? ''
  })

  test('serves the same bytes with their real type, cacheable and inert', async () => {
    const response = await fetch(url)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/)
  })

  test('supports HEAD, and 304 if unchanged', async () => {
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(bytes.length),
      '',
    ])
    const etag = head.headers.get('etag') ?? ''
    const again = await fetch(url, { headers: { 'If-None-Match': etag } })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  })

  test('is the only one: other extensions, renditions and paths are not found', async () => {
    const [copy] = (await imageFiles(app.folder)).filter((name) => name !== digest(bytes))
    const others = [
      url.replace('.jpg', '.png'),
      url.replace('.jpg', ''),
      url.replace('/uploads/', '/media/'),
      `${app.registry}/uploads/${copy}.webp`,
      `${app.registry}/uploads/..%2Fsigning-key.json`,
      `${app.registry}/uploads/${'0'.repeat(64)}.jpg`,
    ]
    const statuses = await Promise.all(others.map(async (address) => (await fetch(address)).status))
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404])
  })
})

test('files without a row and leftovers of a crash are removed at the next start', async () => {
  const first = await startTestRegistry()
  const { folder } = first
  await first.server.stop()
  const { pictures } = dataPaths(folder)
  await mkdir(pictures, { recursive: true })
  await writeFile(join(pictures, 'a'.repeat(64)), 'no row')
  await writeFile(join(pictures, 'b.part'), 'half')
  await writeFile(join(pictures, 'b.part.small.part'), 'half')
  const second = await startTestRegistry({ folder })
  expect(await imageFiles(folder)).toEqual([])
  await second.stop()
  await first.stop()
})
