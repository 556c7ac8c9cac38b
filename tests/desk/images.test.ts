import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { createImageUses } from '../../src/server/domains/uploads/image-uses.service.ts'
import type { ImageRow } from '../../src/shared/contracts/desk-images.ts'
import type { Image } from '../../src/shared/contracts/images.ts'
import { openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { multipartBody, multipartType } from '../support/server/multipart.ts'
import { noise, shortVideo } from '../support/fixtures/images.ts'
import type { Bytes } from '../support/fixtures/images.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { imageFiles, showcaseUpload, upload } from '../support/server/uploads.ts'

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry()
  await app.token({ subject: 'rita', name: 'Rita Ruiz', role: 'administrator' })
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const makeImage = async (width = 200, height = 100): Promise<Bytes> =>
  Buffer.from(await noise(width, height).jpeg().toBuffer())
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Sent {
  status: number
  body: Image & { code?: string; error?: string }
}

const send = async (bytes: Uint8Array, headers: Record<string, string> = {}): Promise<Sent> => {
  const response = await fetch(`${app.dashboard}/desk/api/images`, {
    method: 'POST',
    headers: {
      'Content-Type': multipartType,
      authorization: rita.authorization,
      origin: rita.origin,
      ...headers,
    },
    body: multipartBody([{ name: 'image', data: bytes, fileName: 'p.jpg', type: 'image/jpeg' }]),
  })
  return { status: response.status, body: (await response.json()) as Sent['body'] }
}

interface List {
  items: ImageRow[]
  total: number
  bytes: number
}

const list = async (query = ''): Promise<List> => (await rita.get<List>(`/images${query}`)).body

const use = async (kind: 'post' | 'project', id: number, sha256s: string[]): Promise<void> => {
  const database = openDatabase(dataPaths(app.folder).database)
  await database.transact(() => createImageUses(database.writer).recordUses(kind, id, sha256s))
  database.close()
}

describe('uploading an image at the desk', () => {
  test('returns its details and notifies every open desk', async () => {
    const stream = await openEvents(rita)
    const before = await stream.next()
    const bytes = Buffer.concat([await makeImage(1000, 500), shortVideo('+52.5166+013.4000/')])
    const { status, body } = await send(bytes)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      sha256: digest(bytes),
      type: 'image/jpeg',
      width: 1000,
      height: 500,
      frames: 1,
      size: bytes.length,
      hasPosition: true,
      uploadedBy: 'Rita Ruiz',
    })
    expect(body.renditions.map(({ step, type, width }) => [step, type, width])).toEqual([
      ['small', 'image/webp', 480],
      ['medium', 'image/webp', 960],
      ['large', 'image/webp', 1000],
    ])
    expect((await stream.next()).content).toBeGreaterThan(before.content)
    stream.close()
  })

  test('returns 400 with the reason, and 403 without the role administrator or from another origin', async () => {
    expect(await send(Buffer.from('<svg/>'))).toMatchObject({ status: 400, body: { code: 'INVALID_IMAGE' } })
    const alice = await signIn(app, 'alice')
    expect(await send(await makeImage(), { authorization: alice.authorization })).toMatchObject({
      status: 403,
    })
    expect(await send(await makeImage(), { authorization: '' })).toMatchObject({ status: 401 })
    expect(await send(await makeImage(), { origin: 'https://elsewhere.example' })).toMatchObject({
      status: 403,
      body: { code: 'ORIGIN_FORBIDDEN' },
    })
  })
})

describe('the list of images', () => {
  test('shows where each is used, newest first, and can be filtered', async () => {
    const [first, second] = [await makeImage(), await makeImage()]
    await upload(`${app.registry}${showcaseUpload}`, first)
    await send(second)
    await use('project', 3, [digest(first)])
    await use('post', 4, [digest(first)])
    const all = await list()
    expect(
      all.items.slice(0, 2).map(({ sha256, uploadedBy, usedBy }) => [sha256, uploadedBy, usedBy]),
    ).toEqual([
      [digest(second), 'Rita Ruiz', []],
      [
        digest(first),
        null,
        [
          { kind: 'post', id: 4, title: '' },
          { kind: 'project', id: 3, title: '' },
        ],
      ],
    ])
    expect(all.total).toBe(all.items.length)
    expect(all.bytes).toBe(all.items.reduce((sum, { size }) => sum + size, 0))
    expect((await list('?use=used')).items.map(({ sha256 }) => sha256)).toEqual([digest(first)])
    const unused = await list('?use=unused')
    expect(unused.items.map(({ sha256 }) => sha256)).not.toContain(digest(first))
    expect(unused.total).toBe(all.total - 1)
    expect((await list('?offset=1')).items).toEqual(all.items.slice(1))
    await use('project', 3, [])
    await use('post', 4, [])
  })

  test('uses its index', () => {
    const database = openDatabase(dataPaths(app.folder).database)
    const plan = (sql: string): string =>
      (database.reader.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .join('\n')
    const page = plan(
      `SELECT i.sha256 FROM images i WHERE NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)
       ORDER BY i.uploaded_at DESC, i.sha256 DESC LIMIT 100 OFFSET 0`,
    )
    expect(page).toContain('images_uploaded')
    expect(page).toContain('SEARCH u USING PRIMARY KEY')
    expect(page).not.toContain('TEMP B-TREE')
    expect(plan('SELECT 1 FROM renditions WHERE sha256 = 1')).toContain('renditions_digest')
    database.close()
  })
})

describe('deleting an image', () => {
  test('removes it and its copies', async () => {
    const bytes = await makeImage()
    const { body } = await send(bytes)
    const before = await imageFiles(app.folder)
    expect((await rita.send('DELETE', `/images/${body.sha256}`)).status).toBe(200)
    const left = await imageFiles(app.folder)
    const removed = before.filter((name) => !left.includes(name))
    expect(new Set(removed)).toEqual(new Set([digest(bytes), body.renditions[0]?.sha256]))
    expect((await rita.send('DELETE', `/images/${body.sha256}`)).status).toBe(404)
  })

  test('is refused while it is in use', async () => {
    const { body } = await send(await makeImage())
    await use('post', 9, [body.sha256])
    expect(await rita.send('DELETE', `/images/${body.sha256}`)).toMatchObject({
      status: 409,
      body: { code: 'IMAGE_IN_USE' },
    })
    await use('post', 9, [])
    expect((await rita.send('DELETE', `/images/${body.sha256}`)).status).toBe(200)
  })

  test('keeps a copy that another image shares', async () => {
    const bytes = await makeImage()
    const twin = Buffer.concat([bytes, Buffer.from('after its end')])
    const [one, other] = [await send(bytes), await send(twin)]
    expect(one.body.renditions).toEqual(other.body.renditions)
    await rita.send('DELETE', `/images/${one.body.sha256}`)
    const [small] = other.body.renditions
    expect((await fetch(`${app.registry}/media/${small?.sha256}.webp`)).status).toBe(200)
  })
})

test('the desk alone serves a copy under the digest of the original; anyone can get it under its own', async () => {
  const { body } = await send(await makeImage(1200, 300))
  const response = await rita.open(`/images/${body.sha256}/medium`)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect((await sharp(bytes).metadata()).width).toBe(960)
  const medium = body.renditions.find(({ step }) => step === 'medium')
  expect(digest(bytes)).toBe(medium?.sha256)
  const again = await fetch(`${app.dashboard}/desk/api/images/${body.sha256}/medium`, {
    headers: { authorization: rita.authorization, 'If-None-Match': response.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  const publicCopy = await fetch(`${app.registry}/media/${medium?.sha256}.webp`)
  expect(publicCopy.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(Buffer.from(await publicCopy.arrayBuffer()).equals(bytes)).toBe(true)
  const statuses = await Promise.all(
    [`/images/${'0'.repeat(64)}/small`, '/images/x/small', `/images/${body.sha256}/huge`].map(
      async (path) => (await rita.get(path)).status,
    ),
  )
  expect(statuses).toEqual([404, 400, 400])
  expect((await fetch(`${app.dashboard}/desk/api/images/${body.sha256}/small`)).status).toBe(401)
})
