import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDeskEvents } from '../../src/server/domains/operations/desk-events.service.ts'
import { deskClient, openEvents, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient, EventReader } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import type { DeskState } from '../../src/shared/contracts/desk-session.ts'
import type { DeskChange, DeskServices } from '../../src/shared/contracts/desk-services.ts'

/** In milliseconds. If a stop waits for a stream until this timeout, the test times out first. */
const longerThanATest = 120_000

let app: TestRegistry
let rita: DeskClient
let alice: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ heartbeatMs: 100, config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
  alice = await signIn(app, 'alice')
})
afterAll(() => app.stop())

/** Runs the command line in a separate process. */
async function command(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/server/cli.ts'), ...args], {
    env: { ...process.env, SKILLDOCK_DATA: app.folder },
    stdio: 'ignore',
  })
  const [status] = (await once(child, 'exit')) as [number]
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
}

/**
 * Collects the topics whose counts have changed, until all expected ones have. The services also change by themselves, when a
 * check of their health takes too long, so they only count if they are expected.
 */
async function moved(
  stream: EventReader,
  from: DeskChange,
  ...expected: (keyof DeskChange)[]
): Promise<(keyof DeskChange)[]> {
  let now = from
  const topics = (): (keyof DeskChange)[] =>
    (['releases', 'content', 'agents', 'people', 'services'] as const).filter(
      (topic) => now[topic] !== from[topic] && (topic !== 'services' || expected.includes(topic)),
    )
  while (!expected.every((topic) => topics().includes(topic))) {
    now = await stream.next()
  }
  return topics()
}

describe('the event stream', () => {
  test('starts with the current counts of all topics, the same for everyone', async () => {
    const streams = await Promise.all([openEvents(rita), openEvents(alice)])
    const [first, second] = await Promise.all(streams.map((stream) => stream.next()))
    expect(first).toEqual({
      releases: expect.any(Number),
      content: expect.any(Number),
      agents: expect.any(Number),
      people: expect.any(Number),
      services: expect.any(Number),
      history: expect.any(Number),
    })
    expect(second).toEqual(first)
    for (const { response, close } of streams) {
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      expect(response.headers.get('cache-control')).toBe('no-store')
      close()
    }
  })

  test('counts on from the state of the desk, which has no counts before sign-in', async () => {
    const before = await deskClient(app).get<DeskState>('/state')
    expect(before.body.changes).toBeNull()
    const { body } = await rita.get<DeskState>('/state')
    const stream = await openEvents(rita)
    expect(await stream.next()).toEqual(body.changes)
    stream.close()
  })

  test('requires a session', async () => {
    expect(await deskClient(app).get('/events')).toMatchObject({
      status: 401,
      body: { code: 'SESSION_MISSING' },
    })
    const head = await fetch(`${app.dashboard}/desk/api/events`, {
      method: 'HEAD',
      headers: { authorization: rita.authorization },
    })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
  })

  test('sends heartbeats while nothing happens', async () => {
    const stream = await openEvents(rita)
    expect(await stream.next('heartbeat')).toEqual({})
    expect(await stream.next('heartbeat')).toEqual({})
    stream.close()
  })
})

describe('a change event is sent', () => {
  let stream: EventReader
  let now: DeskChange
  const begin = async (): Promise<void> => {
    stream = await openEvents(rita)
    now = await stream.next()
  }

  test('for a submission, but using a token does not change people', async () => {
    await begin()
    await app.submit({ name: 'one' })
    expect(await moved(stream, now, 'releases')).toEqual(['releases'])
    stream.close()
  })

  test('for a decision at the desk or through the registry', async () => {
    const ids = [await app.submit({ name: 'two' }), await app.submit({ name: 'three' })]
    await begin()
    const decision = { action: 'approved', reason: 'It is good enough.' }
    await rita.send('POST', `/releases/${ids[0]}/decision`, decision)
    expect(await moved(stream, now, 'releases')).toEqual(['releases'])
    stream.close()
    await begin()
    await call(`${app.api}/review/${ids[1]}`, { token: app.administrator, method: 'POST', body: decision })
    expect(await moved(stream, now, 'releases')).toEqual(['releases'])
    stream.close()
  })

  test('for a change made by another process', async () => {
    await begin()
    await command('people', 'add', 'bob')
    expect(await moved(stream, now, 'people')).toEqual(['people'])
    stream.close()
    await begin()
    await command('token', '--subject', 'bob', '--name', 'Bob the Second')
    // Rows of the queue show the name too.
    expect(await moved(stream, now, 'people', 'releases')).toEqual(['releases', 'people'])
    stream.close()
  })

  test('for a token, its revocation, a sign-in and a sign-out', async () => {
    await begin()
    const issued = await rita.send<{ access: { id: string } }>('POST', '/own/tokens', {
      label: 'ci',
      scope: 'publish',
      days: 1,
    })
    expect(await moved(stream, now, 'people')).toEqual(['people'])
    stream.close()
    await begin()
    await rita.send('DELETE', `/own/access/token/${issued.body.access.id}`)
    expect(await moved(stream, now, 'people')).toEqual(['people'])
    stream.close()
    await begin()
    const other = await signIn(app, 'rita')
    expect(await moved(stream, now, 'people')).toEqual(['people'])
    stream.close()
    await begin()
    await other.send('DELETE', '/session')
    expect(await moved(stream, now, 'people')).toEqual(['people'])
    stream.close()
  })

  test('when a service stops and when it starts', async () => {
    await begin()
    await app.server.registry.stop()
    expect(await moved(stream, now, 'services')).toEqual(['services'])
    const { body } = await rita.get<DeskServices>('/services')
    expect(body.services).toMatchObject([
      { name: 'registry', state: 'stopped' },
      { name: 'dashboard', state: 'running', url: app.dashboard },
    ])
    stream.close()
    await begin()
    await app.server.registry.start()
    expect(await moved(stream, now, 'services')).toEqual(['services'])
    stream.close()
  })
})

describe('a stream ends', () => {
  test('when its session has ended, at the next event', async () => {
    const client = await signIn(app, 'alice')
    const stream = await openEvents(client)
    await stream.next()
    const stays = await openEvents(alice)
    await client.send('DELETE', '/session')
    await stream.ended
    await stays.next('heartbeat')
    stays.close()
  })

  test('when its desk disconnects, and is no longer counted', async () => {
    const other = await startTestRegistry()
    const client = await signIn(other, 'rita')
    const streams = await Promise.all([openEvents(client), openEvents(client)])
    const count = async (): Promise<number> => (await client.get<DeskServices>('/services')).body.openDesks
    expect(await count()).toBe(2)
    for (const { close, ended } of streams) {
      close()
      await ended
    }
    await vi.waitFor(async () => expect(await count()).toBe(0), { timeout: 30_000 })
    await other.stop()
  })

  test('immediately when the service stops, without delaying the shutdown', async () => {
    const other = await startTestRegistry({ stopTimeoutMs: longerThanATest })
    const client = await signIn(other, 'rita')
    const streams = await Promise.all([openEvents(client), openEvents(client)])
    await other.stop()
    await Promise.all(streams.map(({ ended }) => ended))
  })

  test('when only the local listener is stopped, and can be opened again after its start', async () => {
    const other = await startTestRegistry({ stopTimeoutMs: longerThanATest })
    const client = await signIn(other, 'rita')
    const stream = await openEvents(client)
    await other.server.local.stop()
    await stream.ended
    await other.server.local.start()
    const again = await openEvents(client)
    expect(await again.next()).toMatchObject({ releases: expect.any(Number) })
    await other.stop()
  })
})

describe('the hub', () => {
  const person = { id: 1, issuer: 'skilldock', subject: 'alice', name: null, role: 'developer' } as const
  const idle = { person, remote: false, desk: null, findPerson: () => person, send: () => {}, end: () => {} }

  test('refuses new streams while the service stops', async () => {
    await withDatabase(app, async (database) => {
      const events = createDeskEvents(database, { isRunning: () => false, readServices: () => '' })
      expect(() => events.open({ ...idle })).toThrow(expect.objectContaining({ code: 'STOPPING' }))
    })
  })

  test('polls nothing while no stream is open', async () => {
    await withDatabase(app, async (database) => {
      vi.useFakeTimers()
      try {
        const events = createDeskEvents(database, { isRunning: () => true, readServices: () => '' })
        expect(vi.getTimerCount()).toBe(0)
        const leave = [events.open({ ...idle }), events.open({ ...idle })]
        expect(vi.getTimerCount()).toBe(2)
        leave[0]?.()
        expect(vi.getTimerCount()).toBe(2)
        leave[1]?.()
        expect(vi.getTimerCount()).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    })
  })

  test('reports changes to a constantly written agent project once a second', async () => {
    await withDatabase(app, async (database) => {
      const seen: number[] = []
      let version = 0
      vi.useFakeTimers()
      try {
        const events = createDeskEvents(database, {
          isRunning: () => true,
          readServices: () => '',
          readAgents: () => String(version),
        })
        const leave = events.open({
          ...idle,
          send: (event, data) => void (event === 'change' && seen.push((data as DeskChange).agents)),
        })
        for (let written = 0; written < 100; written += 1) {
          version += 1
          vi.advanceTimersByTime(100)
        }
        const first = seen[0] ?? 0
        expect(seen).toEqual(Array.from({ length: 11 }, (_, index) => first + index))
        // The last change is reported as well.
        version += 1
        vi.advanceTimersByTime(1000)
        expect(seen).toHaveLength(12)
        leave()
      } finally {
        vi.useRealTimers()
      }
    })
  })

  test('reports changes to an agent project after the clock was set back', async () => {
    await withDatabase(app, async (database) => {
      const seen: number[] = []
      let version = 0
      vi.useFakeTimers()
      try {
        const events = createDeskEvents(database, {
          isRunning: () => true,
          readServices: () => '',
          readAgents: () => String(version),
        })
        const leave = events.open({
          ...idle,
          send: (event, data) => void (event === 'change' && seen.push((data as DeskChange).agents)),
        })
        const first = seen[0] ?? 0
        version += 1
        vi.advanceTimersByTime(1000)
        vi.setSystemTime(Date.now() - 3_600_000)
        version += 1
        vi.advanceTimersByTime(1000)
        expect(seen).toEqual([first, first + 1, first + 2])
        leave()
      } finally {
        vi.useRealTimers()
      }
    })
  })

  test('continues while the database is unavailable', async () => {
    await withDatabase(app, async (database) => {
      const sent: string[] = []
      let services = 'good'
      vi.useFakeTimers()
      try {
        const events = createDeskEvents(database, { isRunning: () => true, readServices: () => services })
        const leave = events.open({ ...idle, send: (event) => void sent.push(event) })
        database.reader.close()
        vi.advanceTimersByTime(250)
        services = 'the database is away'
        vi.advanceTimersByTime(250)
        expect(sent).toEqual(['change', 'change'])
        leave()
      } finally {
        vi.useRealTimers()
      }
    })
  })
})
