import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DeskWriting } from '../../src/shared/contracts/desk-decisions.ts'
import { openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let rita: DeskClient
let rolf: DeskClient
beforeEach(async () => {
  app = await startTestRegistry({ heartbeatMs: 50 })
  await app.token({ subject: 'rolf', name: 'Rolf Brandt', role: 'administrator' })
  rita = await signIn(app, 'rita')
  rolf = await signIn(app, 'rolf')
})
afterEach(() => app.stop())

const open = async (client: DeskClient) => {
  const name = randomUUID()
  const stream = await openEvents(client, name)
  return {
    stream,
    name,
    /** The next message to this desk. */
    writing: async () =>
      (await stream.next<DeskWriting>('writing')).posts.map(({ name: by, own, post }) => ({ by, own, post })),
    write: (post: number | null, idleMs = 0) =>
      client.send<{ code?: string }>('PUT', '/writing', { desk: name, post, idleMs }),
  }
}

test('the person writing a post is announced to every other desk, including their own', async () => {
  const first = await open(rita)
  const second = await open(rita)
  const other = await open(rolf)
  expect(await first.write(7)).toMatchObject({ status: 200, body: { success: true } })
  expect(await second.writing()).toEqual([{ by: 'rita', own: true, post: 7 }])
  expect(await other.writing()).toEqual([{ by: 'rita', own: false, post: 7 }])

  await other.write(7)
  // If it received its own announcement, that would come first.
  expect(await first.writing()).toEqual([{ by: 'Rolf Brandt', own: false, post: 7 }])
  await first.write(null)
  expect(await other.writing()).toEqual([])
})

test('a desk that connects later is told immediately, and one that disconnects no longer counts as writing', async () => {
  const first = await open(rita)
  await first.write(3)
  const later = await open(rolf)
  expect(await later.writing()).toEqual([{ by: 'rita', own: false, post: 3 }])
  first.stream.close()
  expect(await later.writing()).toEqual([])
})

test('the announcement includes the time of the last keystroke', async () => {
  const first = await open(rita)
  const other = await open(rolf)
  await first.write(3, 60_000)
  const { posts } = await other.stream.next<DeskWriting>('writing')
  const idle = Date.now() - Date.parse(posts[0]?.writtenAt ?? '')
  expect(idle).toBeGreaterThanOrEqual(60_000)
})

test("only a person's own desk with an open stream can announce writing", async () => {
  const first = await open(rita)
  expect(await rita.send('PUT', '/writing', { desk: randomUUID(), post: 3 })).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' },
  })
  expect(await rolf.send('PUT', '/writing', { desk: first.name, post: 3 })).toMatchObject({ status: 404 })
})
