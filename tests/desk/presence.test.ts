import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DeskPresence } from '../../src/shared/contracts/desk-decisions.ts'
import { deskClient, openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient, EventReader } from '../support/desk/desk-client.ts'
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

interface Desk {
  name: string
  stream: EventReader
  /** The next presence message to this desk. */
  presence(): Promise<DeskPresence['open']>
}

const open = async (client: DeskClient, name: string = randomUUID()): Promise<Desk> => {
  const stream = await openEvents(client, name)
  return { name, stream, presence: async () => (await stream.next<DeskPresence>('presence')).open }
}
const show = (client: DeskClient, desk: string, release: number | null) =>
  client.send<{ code?: string }>('PUT', '/presence', { desk, release })

describe('the presence of a person at a release', () => {
  test('is sent to others at the start and on each change, but never to the same person', async () => {
    const ritas = await open(rita)
    expect(await ritas.presence()).toEqual([])
    expect(await show(rita, ritas.name, 7)).toMatchObject({ status: 200, body: { success: true } })

    const rolfs = await open(rolf)
    expect(await rolfs.presence()).toEqual([{ personId: 2, name: 'rita', release: 7 }])
    await show(rolf, rolfs.name, 9)
    expect(await ritas.presence()).toEqual([{ personId: 3, name: 'Rolf Brandt', release: 9 }])
    await show(rita, ritas.name, 8)
    expect(await rolfs.presence()).toEqual([{ personId: 2, name: 'rita', release: 8 }])
    await show(rita, ritas.name, null)
    expect(await rolfs.presence()).toEqual([])

    // Another window of the same person only sees Rolf, and each release is listed once.
    const window = await open(rita)
    expect(await window.presence()).toEqual([{ personId: 3, name: 'Rolf Brandt', release: 9 }])
    await show(rita, ritas.name, 5)
    expect(await rolfs.presence()).toEqual([{ personId: 2, name: 'rita', release: 5 }])
    await show(rita, window.name, 5)
    await show(rita, ritas.name, 6)
    expect(await rolfs.presence()).toEqual([
      { personId: 2, name: 'rita', release: 6 },
      { personId: 2, name: 'rita', release: 5 },
    ])
    // If the other window received its own person's presence, those messages would come first.
    await show(rolf, rolfs.name, 1)
    expect(await window.presence()).toEqual([{ personId: 3, name: 'Rolf Brandt', release: 1 }])
  })

  test('ends with the stream', async () => {
    const ritas = await open(rita)
    await show(rita, ritas.name, 7)
    const rolfs = await open(rolf)
    expect(await rolfs.presence()).toHaveLength(1)
    ritas.stream.close()
    expect(await rolfs.presence()).toEqual([])
    expect(await show(rita, ritas.name, 7)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test('ends with the session', async () => {
    const ritas = await open(rita)
    await show(rita, ritas.name, 7)
    const rolfs = await open(rolf)
    expect(await rolfs.presence()).toHaveLength(1)
    await rita.send('DELETE', '/session')
    await ritas.stream.ended
    expect(await rolfs.presence()).toEqual([])
  })

  test('ends when a desk reconnects, even before its old stream has ended', async () => {
    const rolfs = await open(rolf)
    await rolfs.presence()
    const before = await open(rita)
    await show(rita, before.name, 7)
    expect(await rolfs.presence()).toEqual([{ personId: 2, name: 'rita', release: 7 }])
    await open(rita, before.name)
    expect(await rolfs.presence()).toEqual([])
    await show(rita, before.name, 8)
    expect(await rolfs.presence()).toEqual([{ personId: 2, name: 'rita', release: 8 }])
  })

  test("can only be set from the person's own desk", async () => {
    const ritas = await open(rita)
    const rolfs = await open(rolf)
    expect((await show(rolf, ritas.name, 7)).status).toBe(404)
    expect((await show(rita, randomUUID(), 7)).status).toBe(404)
    // Using another person's desk name does not allow setting their presence.
    const same = await open(rolf, ritas.name)
    await show(rolf, same.name, 9)
    expect(await ritas.presence()).toEqual([])
    expect(await ritas.presence()).toEqual([{ personId: 3, name: 'Rolf Brandt', release: 9 }])
    expect((await show(rita, ritas.name, 7)).status).toBe(200)
    await rolfs.presence()
    expect(await rolfs.presence()).toEqual([{ personId: 2, name: 'rita', release: 7 }])
    expect((await show(await signIn(app, 'alice'), ritas.name, 7)).status).toBe(403)
    expect((await show(deskClient(app), ritas.name, 7)).status).toBe(401)
  })

  test('is not sent to publishers', async () => {
    const alice = await signIn(app, 'alice')
    const alices = await open(alice)
    const ritas = await open(rita)
    const rolfs = await open(rolf)
    await rolfs.presence()
    await show(rita, ritas.name, 7)
    expect(await rolfs.presence()).toHaveLength(1)
    expect(await alices.stream.next('heartbeat')).toEqual({})
    expect(alices.stream.waiting('presence')).toBe(0)
  })

  test('is updated after a change of role or name', async () => {
    const ritas = await open(rita)
    const rolfs = await open(rolf)
    await show(rolf, rolfs.name, 9)
    await ritas.presence()
    expect(await ritas.presence()).toEqual([{ personId: 3, name: 'Rolf Brandt', release: 9 }])
    await rita.send('PATCH', '/people/3', { name: 'Rolf B.' })
    expect(await ritas.presence()).toEqual([{ personId: 3, name: 'Rolf B.', release: 9 }])
    await rita.send('PATCH', '/people/3', { role: 'developer' })
    expect(await ritas.presence()).toEqual([])
  })
})

test('a desk without a name, or with an invalid one, has no presence', async () => {
  const nameless = await openEvents(rita)
  expect(await nameless.next<DeskPresence>('presence')).toEqual({ open: [] })
  expect(await rita.get('/events?desk=one')).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED' },
  })
  expect((await show(rita, 'one', 7)).status).toBe(400)
  expect((await show(rita, randomUUID(), 0)).status).toBe(400)
})
