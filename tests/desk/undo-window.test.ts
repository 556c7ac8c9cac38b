import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { QueueRow } from '../../src/shared/contracts/desk-review.ts'
import type { DeskServices } from '../../src/shared/contracts/desk-services.ts'
import type { DeskSettings } from '../../src/shared/contracts/desk-settings.ts'
import { decideAtDesk, getDeskRelease, openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let folder: string
let app: TestRegistry
let rita: DeskClient
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-undo-'))
})
afterEach(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

/** The server with this undo window in `settings.json`. */
async function serveWith(undoMs: number): Promise<void> {
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ undoMs }))
  app = await startTestRegistry({ folder })
  rita = await signIn(app, 'rita')
}
const save = (undoMs: number) =>
  rita.send<DeskSettings & { code?: string; error?: string }>('PUT', '/settings', { changes: { undoMs } })
const windowOfServices = async (): Promise<number> => (await rita.get<DeskServices>('/services')).body.undoMs

test('services, decision, queue and release all show an undo window of 25 s', async () => {
  await serveWith(25_000)
  expect(await windowOfServices()).toBe(25_000)
  const id = await app.submit({ name: 'held' })
  const { body } = await decideAtDesk(rita, id, 'rejected')
  expect(body).toEqual({
    held: { action: 'rejected', byId: 2, by: 'rita', undoMs: 25_000, remainingMs: 25_000 },
  })
  const { items } = (await rita.get<{ items: QueueRow[] }>('/releases')).body
  for (const held of [items[0]?.held, (await getDeskRelease(rita, id)).held]) {
    expect(held).toMatchObject({ undoMs: 25_000 })
    expect(held?.remainingMs).toBeGreaterThan(15_000)
    expect(held?.remainingMs).toBeLessThanOrEqual(25_000)
  }
})

test('without an undo window a decision takes effect immediately and cannot be undone', async () => {
  await serveWith(0)
  expect(await windowOfServices()).toBe(0)
  const id = await app.submit({ name: 'immediate' })
  expect((await decideAtDesk(rita, id, 'approved')).body).toEqual({ held: null })
  expect(await getDeskRelease(rita, id)).toMatchObject({ status: 'approved', held: null })
  expect(await rita.send('DELETE', `/releases/${id}/decision`)).toMatchObject({
    status: 409,
    body: { code: 'INVALID_TRANSITION' },
  })
})

test('the undo window is 0 to 60 s; anything else is refused and changes nothing', async () => {
  await serveWith(25_000)
  for (const wrong of [60_001, -1, 0.5]) {
    const reply = await save(wrong)
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(reply.body.error).toContain('undoMs')
  }
  expect(await windowOfServices()).toBe(25_000)
  expect((await save(60_000)).status).toBe(200)
  const id = await app.submit({ name: 'longest' })
  expect((await decideAtDesk(rita, id, 'approved')).body.held).toMatchObject({ remainingMs: 60_000 })
  // Waiting for the end of the window would exceed the test's timeout.
  await app.stop()
  await serveWith(60_000)
  expect(await getDeskRelease(rita, id)).toMatchObject({ status: 'approved', held: null })
})

test('a held decision keeps its undo window when the setting changes, and every desk is notified', async () => {
  await serveWith(25_000)
  const ids = [await app.submit({ name: 'before' }), await app.submit({ name: 'after' })] as const
  await decideAtDesk(rita, ids[0], 'rejected')
  const stream = await openEvents(rita)
  const { services } = await stream.next()
  expect((await save(0)).status).toBe(200)
  await until('the stream reports it', async () => (await stream.next()).services > services)
  stream.close()
  expect(await windowOfServices()).toBe(0)

  expect((await decideAtDesk(rita, ids[1], 'rejected')).body.held).toBeNull()
  const { held } = await getDeskRelease(rita, ids[0])
  expect(held).toMatchObject({ action: 'rejected', undoMs: 25_000 })
  expect(held?.remainingMs).toBeGreaterThan(15_000)
  expect((await rita.send('DELETE', `/releases/${ids[0]}/decision`)).status).toBe(200)
  expect(await getDeskRelease(rita, ids[0])).toMatchObject({ status: 'pending', held: null })
})
