import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forkHelper } from '../../src/server/processes/fork-helper.ts'
import type { DeskServices } from '../../src/shared/contracts/desk-services.ts'
import type { Readiness } from '../../src/shared/contracts/health.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { multipartType } from '../support/server/multipart.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import type { Reply } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { helperEntries } from '../support/server/server.ts'
import { mountSmallDisk, skipWithoutMount } from '../support/server/small-disk.ts'
import type { SmallDisk } from '../support/server/small-disk.ts'

const ready = (on: TestRegistry): Promise<Reply<Readiness>> => call(`${on.registry}/api/skilldock/ready`)
const health = async (on: TestRegistry): Promise<[number, string]> => {
  const { status, body } = await call<{ status: string }>(`${on.registry}/api/health`)
  return [status, body.status]
}
const whenReadyIs = (on: TestRegistry, status: number): Promise<void> =>
  expect.poll(async () => (await ready(on)).status, { timeout: 30_000 }).toBe(status)

const allOk = { databaseWrite: 'ok', storageWrite: 'ok', freeSpace: 'ok', helperProcesses: 'ok' }

/** Sends the headers of a one-megabyte upload without its body. */
async function announceUpload(
  app: TestRegistry,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string; retryAfter: number }> {
  const client = await connectRaw(app.registry)
  const all = { 'Content-Type': multipartType, 'Content-Length': 1_048_576, ...headers }
  await client.send(requestHead('POST', app.registry + path, all))
  const answer = await client.answer()
  client.destroy()
  const { code } = JSON.parse(answer.body) as { code: string }
  return { status: answer.status, code, retryAfter: Number(answer.headers['retry-after']) }
}

describe.skipIf(skipWithoutMount)('at 0 bytes free', () => {
  let disk: SmallDisk
  let app: TestRegistry
  beforeAll(async () => {
    disk = mountSmallDisk(64)
    app = await startTestRegistry({ folder: join(disk.folder, 'data') })
  })
  afterAll(async () => {
    await app?.stop()
    disk?.unmount()
  })

  test('health is degraded, readiness is 503, and uploads are refused before the body, until there is space again', async () => {
    const desk = await signIn(app, 'rita')
    expect(await health(app)).toEqual([200, 'ok'])
    expect(await ready(app)).toMatchObject({ status: 200, body: { ready: true, checks: allOk } })

    disk.fill()
    expect(statfsSync(disk.folder).bavail).toBe(0)
    const checks = {
      databaseWrite: expect.stringMatching(/^The database cannot be written \(ENOSPC\)\./) as string,
      storageWrite: expect.stringMatching(/^Files cannot be stored \(ENOSPC\)\./) as string,
      freeSpace:
        'The disk with the data folder has only 0 MiB free, but 6 MiB is needed. Free up some space.',
      helperProcesses: 'ok',
    }
    const readyOnFullDisk = async () => {
      // A sample that was being written when the disk was filled has left room for others.
      disk.fill()
      return (await ready(app)).body
    }
    await expect.poll(readyOnFullDisk, { timeout: 30_000 }).toEqual({ ready: false, checks })
    const { status, body } = await ready(app)
    expect(status).toBe(503)
    expect(JSON.stringify(body)).not.toContain(disk.folder)
    expect(await health(app)).toEqual([200, 'degraded'])

    const bearer = { Authorization: `Bearer ${app.developer}` }
    const refused = { code: 'STORAGE_UNAVAILABLE', retryAfter: 10 }
    expect(await announceUpload(app, '/api/marketplace/publish', bearer)).toEqual({ status: 503, ...refused })
    expect(await announceUpload(app, '/api/showcase/upload-image')).toEqual({ status: 500, ...refused })
    // Missing permissions take precedence.
    expect((await announceUpload(app, '/api/marketplace/publish')).status).toBe(401)
    expect((await desk.get<DeskServices>('/services')).body.checks).toEqual(body.checks)

    disk.clear()
    await whenReadyIs(app, 200)
    expect(await health(app)).toEqual([200, 'ok'])
    expect((await publish(app.registry, app.developer, manifest(), app.wasm)).status).toBe(201)
  })
})

test('readiness is 503 while the helper process for checks cannot be started', async () => {
  let isBroken = true
  const app = await startTestRegistry({
    startHelper: (kind, mayWrite) =>
      forkHelper(isBroken ? `${helperEntries[kind]}.missing` : helperEntries[kind], kind, mayWrite),
  })
  try {
    await whenReadyIs(app, 503)
    expect((await ready(app)).body.checks).toEqual({
      ...allOk,
      helperProcesses:
        'The processes that check modules and images cannot be started. See the log for the reason, and restart the server.',
    })
    expect(await health(app)).toEqual([200, 'degraded'])
    isBroken = false
    await whenReadyIs(app, 200)
    expect((await publish(app.registry, app.developer, manifest(), app.wasm)).status).toBe(201)
  } finally {
    await app.stop()
  }
})

test('the local listener reports the same', async () => {
  const app = await startTestRegistry()
  try {
    const { status, body } = await call<Readiness>(`${app.dashboard}/api/skilldock/ready`)
    expect([status, body]).toEqual([200, { ready: true, checks: allOk }])
  } finally {
    await app.stop()
  }
})
