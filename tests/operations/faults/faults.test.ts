import { hash } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Readiness } from '../../../src/shared/contracts/health.ts'
import { signIn } from '../../support/desk/desk-client.ts'
import type { DeskClient } from '../../support/desk/desk-client.ts'
import { assembleWat } from '../../support/fixtures/assemble-wat.ts'
import { skipWithout } from '../../support/programs.ts'
import { skilldockHere, tokenHere } from '../../support/server/command-here.ts'
import { cleanUp, serve, skilldock, temporaryFolder } from '../../support/server/command-line.ts'
import type { Serving, Variables } from '../../support/server/command-line.ts'
import { noise } from '../../support/fixtures/images.ts'
import { multipartBody, multipartType } from '../../support/server/multipart.ts'
import { call, manifest, publish, review } from '../../support/server/publish.ts'
import { blogUpload, imageFiles, showcaseUpload, upload } from '../../support/server/uploads.ts'
import { buildFaults } from './build-faults.ts'

const skipped = process.platform !== 'linux' || skipWithout('clang')

/** What the server has acknowledged. */
const releases = new Map<string, { id: number; status: string; wasm: Uint8Array }>()
const images = new Set<string>()
/** The paths of images uploaded through the public API. */
const paths = new Map<string, Uint8Array>()
let title = ''
let undoMs = 0

let folder: string
let control: string
let variables: Variables
let server: Serving
let desk: DeskClient
let developer: string
let administrator: string
let post: { id: number; revision: number; content: Record<string, unknown> }

describe.skipIf(skipped)('a server whose system calls fail', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const work = temporaryFolder()
    folder = join(work, 'data')
    ;({ variables, control } = buildFaults(work, folder))
    developer = await tokenHere(folder, '--subject', 'alice')
    administrator = await tokenHere(folder, '--subject', 'rita', '--role', 'admin')
    server = await serve(folder, variables)
    desk = await signIn({ folder, dashboard: server.dashboard }, 'rita')
    expect(await submit('before')).toBe(201)
    const created = await desk.send<typeof post>('POST', '/posts')
    expect(created.status).toBe(201)
    post = created.body
    expect(await edit('Before')).toBe(200)
    expect(await setUndo(11_000)).toBe(200)
  }, 60_000)
  afterEach(() => rmSync(control, { force: true }))
  afterAll(async () => {
    await server?.stop()
    await cleanUp()
  })

  test.each([
    [
      'fsync',
      { publish: 503, upload: 503, blog: 500, showcase: 500, review: 503, edit: 503, settings: 503 },
      'databaseWrite' as const,
      /^The database cannot be written \(EIO\)/,
    ],
    [
      'write',
      { publish: 503, upload: 503, blog: 500, showcase: 500, review: 503, edit: 503, settings: 503 },
      'databaseWrite' as const,
      /^The database cannot be written \(ENOSPC\)/,
    ],
    [
      'rename',
      { publish: 503, upload: 503, blog: 500, showcase: 500, review: 200, edit: 200, settings: 503 },
      'storageWrite' as const,
      /^Files cannot be stored \(EIO\)/,
    ],
  ])(
    'failing %s: a clear error, reads are answered, and only what was acknowledged is there afterwards',
    async (fault, expected, check, reported) => {
      const before = `before-${fault}`
      expect(await submit(before)).toBe(201)
      writeFileSync(control, fault)
      const name = `during-${fault}`
      const [image, blogImage, showcaseImage] = await Promise.all(
        [400, 410, 420].map((width) => noise(width, 300).jpeg().toBuffer()),
      )
      const statuses = {
        publish: await submit(name),
        upload: await uploadImage(image),
        blog: await uploadTo(blogUpload, blogImage),
        showcase: await uploadTo(showcaseUpload, showcaseImage),
        review: await approve(before),
        edit: await edit(name),
        settings: await setUndo(undoMs + 1000),
      }
      expect(statuses).toEqual(expected)
      expect(await readStatuses()).toEqual([200, 200, 200, 200])
      await expect.poll(async () => (await ready()).body.checks[check], { timeout: 30_000 }).toMatch(reported)
      expect((await ready()).status).toBe(503)
      expect((await desk.get<Pick<Readiness, 'checks'>>('/services')).body.checks[check]).toMatch(reported)
      const doctor = await skilldockHere(folder, ['doctor'])
      expect(doctor.status).toBe(1)
      expect(doctor.stdout).toMatch(new RegExp(`^broken +server +${reported.source.slice(1)}`, 'm'))
      rmSync(control)
      await expect.poll(async () => (await ready()).status, { timeout: 30_000 }).toBe(200)
      await expectAcknowledged()
      expect(await submit(name)).toBe(201)
      expect(await uploadImage(image)).toBe(200)
      expect(await uploadTo(blogUpload, blogImage)).toBe(200)
      expect(await uploadTo(showcaseUpload, showcaseImage)).toBe(200)
      await expectAcknowledged()
    },
  )

  test('a clock that goes back: everything is still served, and doctor says so', async () => {
    writeFileSync(control, 'clock')
    try {
      expect(await readStatuses()).toEqual([200, 200, 200, 200])
      const doctor = await skilldock(folder, ['doctor'], variables)
      expect(doctor.status).toBe(1)
      expect(doctor.stdout).toMatch(/^broken +clock +The newest record is from .+ Set the clock/m)
    } finally {
      rmSync(control)
    }
    expect((await skilldockHere(folder, ['doctor'])).stdout).toMatch(/^ok +clock/m)
  })

  test('after a SIGKILL and a restart, everything acknowledged is there, and verify finds nothing wrong', async () => {
    server.kill('SIGKILL')
    await server.ended
    server = await serve(folder, variables)
    desk = await signIn({ folder, dashboard: server.dashboard }, 'rita')
    await expectAcknowledged()
    expect((await skilldockHere(folder, ['verify'])).status).toBe(0)
  })
})

async function submit(name: string): Promise<number> {
  const wasm = await assembleWat(
    `(module (memory (export "memory") 1) (data (i32.const 0) "${name}") (func (export "_start")))`,
  )
  const { status, body } = await publish(server.registry, developer, manifest({ name }), wasm)
  if (status === 201) releases.set(name, { id: body.id, status: 'pending', wasm })
  else expect(body.error).toMatch(/unavailable/)
  return status
}

/** Through the public API. */
async function uploadTo(endpoint: string, bytes: Uint8Array = new Uint8Array()): Promise<number> {
  const { status, body } = await upload(`${server.registry}${endpoint}`, bytes, { token: administrator })
  if (status < 300) {
    images.add(hash('sha256', bytes))
    paths.set(`/${body.key}`, bytes)
  } else expect(body.code).toBe('STORAGE_UNAVAILABLE')
  return status
}

async function uploadImage(bytes: Uint8Array = new Uint8Array()): Promise<number> {
  const response = await fetch(`${server.dashboard}/desk/api/images`, {
    method: 'POST',
    headers: { 'Content-Type': multipartType, authorization: desk.authorization, origin: desk.origin },
    body: multipartBody([{ name: 'image', data: bytes, fileName: 'p.jpg', type: 'image/jpeg' }]),
  })
  const body = (await response.json()) as { sha256: string; error?: string }
  if (response.status < 300) images.add(body.sha256)
  // The health check may have noticed the fault before this upload does.
  else expect(body.error).toMatch(/^(?:The storage is|Uploads are temporarily) unavailable.+ Try again/)
  return response.status
}

async function approve(name: string): Promise<number> {
  const release = releases.get(name)
  if (release === undefined) throw new Error(`${name} was not submitted`)
  const { status } = await review(server.registry, administrator, release.id, 'approved')
  if (status === 200) release.status = 'approved'
  return status
}

async function edit(to: string): Promise<number> {
  const content = { ...post.content, title: to }
  const { status, body } = await desk.send<typeof post>('PUT', `/posts/${post.id}`, {
    revision: post.revision,
    content,
  })
  if (status === 200) {
    title = to
    post.revision = body.revision
  }
  return status
}

async function setUndo(to: number): Promise<number> {
  const { status } = await desk.send('PUT', '/settings', { changes: { undoMs: to } })
  if (status === 200) undoMs = to
  return status
}

const ready = () => call<Readiness>(`${server.dashboard}/api/skilldock/ready`)

const readStatuses = async (): Promise<number[]> =>
  Promise.all([
    fetch(`${server.registry}/api/marketplace/skills`).then(({ status }) => status),
    fetch(`${server.registry}/`).then(({ status }) => status),
    download('before').then(({ status }) => status),
    desk.get(`/posts/${post.id}`).then(({ status }) => status),
  ])

const download = (name: string): Promise<Response> =>
  fetch(`${server.registry}/api/marketplace/review/${name}/1.0.0/package`, {
    headers: { authorization: `Bearer ${administrator}` },
  })

/** Everything acknowledged is there byte for byte, and nothing else is. */
async function expectAcknowledged(): Promise<void> {
  const database = new Sqlite(join(folder, 'skilldock.db'), { readonly: true })
  const stored = database.prepare('SELECT name, id, status FROM releases ORDER BY id').all()
  const imageRows = database.prepare<[], string>('SELECT sha256 FROM images').pluck().all()
  const renditions = database.prepare<[], string>('SELECT sha256 FROM renditions').pluck().all()
  database.close()
  expect(new Set(imageRows)).toEqual(images)
  const files = new Set([...imageRows, ...renditions])
  expect(new Set(await imageFiles(folder))).toEqual(files)
  expect(stored).toEqual([...releases].map(([name, { id, status }]) => ({ name, id, status })))
  for (const [name, { wasm }] of releases) {
    const response = await download(name)
    expect(Buffer.from(await response.arrayBuffer()).equals(wasm), name).toBe(true)
  }
  for (const [path, bytes] of paths) {
    const response = await fetch(`${server.registry}${path}`)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes), path).toBe(true)
  }
  const packages = readdirSync(join(folder, 'packages')).filter((name) => !name.startsWith('sample-'))
  expect(packages).toHaveLength(releases.size)
  expect((await desk.get<{ title: string }>(`/posts/${post.id}`)).body.title).toBe(title)
  expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toMatchObject({ undoMs })
}
