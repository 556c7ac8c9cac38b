import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeGroups } from '../../src/server/composition/route-table.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { deskClient, signIn, signInCode, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { readKey } from '../support/server/tokens.ts'
import { until } from '../support/wait.ts'

interface State {
  person: { subject: string; role: string } | null
  firstRun: { dataFolder: string } | null
  version: string
}

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(() => app.stop())

const state = async (client: DeskClient): Promise<State> => (await client.get<State>('/state')).body
const change = (sql: string, ...values: unknown[]): Promise<void> =>
  withDatabase(app, (database) => database.transact(() => void database.writer.prepare(sql).run(...values)))
const read = <T>(sql: string): Promise<T> =>
  withDatabase(app, async (database) => database.reader.prepare(sql).get() as T)

describe('a sign-in code', () => {
  test('is exchanged for a session, whose key is only in the response', async () => {
    const client = deskClient(app)
    expect(await state(client)).toMatchObject({ person: null, firstRun: null })
    const reply = await client.send('POST', '/session', { code: await signInCode(app, 'rita') })
    expect(reply).toMatchObject({ status: 200, body: { person: { subject: 'rita', role: 'administrator' } } })
    expect(reply.body).toMatchObject({ sessionKey: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
    expect(reply.headers.getSetCookie()).toEqual([])
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(await state(client)).toMatchObject({ person: { subject: 'rita' } })
  })

  test('is stored only as a hash, and so is the session', async () => {
    const code = await signInCode(app, 'rita')
    const client = deskClient(app)
    await client.send('POST', '/session', { code })
    const secret = client.authorization.slice('Bearer '.length)
    expect(secret).toHaveLength(43)
    const rows = await withDatabase(app, async ({ reader }) =>
      JSON.stringify([
        reader.prepare('SELECT * FROM sign_in_codes').all(),
        reader.prepare('SELECT * FROM desk_sessions').all(),
      ]),
    )
    expect(rows).not.toContain(code)
    expect(rows).not.toContain(secret)
    expect(app.logs.join('')).not.toContain(code)
    expect(app.logs.join('')).not.toContain(secret)
  })

  test('works once, even if it is used twice at the same time', async () => {
    const code = await signInCode(app, 'rita')
    const replies = await Promise.all(
      [1, 2, 3].map(() => deskClient(app).send<{ code?: string }>('POST', '/session', { code })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    const again = await deskClient(app).send<{ code: string }>('POST', '/session', { code })
    expect(again).toMatchObject({ status: 401, body: { code: 'CODE_INVALID' } })
    expect(again.body).not.toHaveProperty('sessionKey')
  })

  test('expires after five minutes', async () => {
    const before = Date.now()
    const code = await signInCode(app, 'rita')
    const { at } = await read<{ at: string }>('SELECT max(expires_at) AS at FROM sign_in_codes')
    expect(Date.parse(at) - before).toBeGreaterThanOrEqual(5 * 60_000)
    expect(Date.parse(at) - Date.now()).toBeLessThanOrEqual(5 * 60_000)
    await change("UPDATE sign_in_codes SET expires_at = '2026-01-01T00:00:00.000Z' WHERE expires_at = ?", at)
    const reply = await deskClient(app).send('POST', '/session', { code })
    expect(reply).toMatchObject({ status: 401, body: { code: 'CODE_INVALID' } })
  })

  test('is not valid for longer if it was created while the clock was a year ahead', async () => {
    const code = await signInCode(app, 'rita')
    const { at } = await read<{ at: string }>('SELECT max(expires_at) AS at FROM sign_in_codes')
    const ahead = new Date(Date.parse(at) + 365 * 86_400_000).toISOString()
    await change('UPDATE sign_in_codes SET expires_at = ? WHERE expires_at = ?', ahead, at)
    const reply = await deskClient(app).send('POST', '/session', { code })
    expect(reply).toMatchObject({ status: 401, body: { code: 'CODE_INVALID' } })
  })

  test('is refused with the same message, whatever is wrong with it', async () => {
    const used = await signInCode(app, 'rita')
    await deskClient(app).send('POST', '/session', { code: used })
    const sent = [used, 'x'.repeat(43), await signInCode(app, null)]
    const replies = await Promise.all(
      sent.map((code) => deskClient(app).send<object>('POST', '/session', { code })),
    )
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  test('that is malformed is 400', async () => {
    for (const body of [{}, { code: 'short' }, { code: 'x'.repeat(201) }, { code: 1 }]) {
      const reply = await deskClient(app).send('POST', '/session', body)
      expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    }
  })

  test('of a person who has been removed is refused', async () => {
    await app.token({ subject: 'gone' })
    const code = await signInCode(app, 'gone')
    await withPeople((people) => people.removePerson('gone'), app.folder)
    await withPeople((people) => people.addPerson({ subject: 'gone' }), app.folder)
    expect((await deskClient(app).send('POST', '/session', { code })).status).toBe(401)
  })

  test('can be guessed 20 times a minute in total; after that even a valid one must wait', async () => {
    const other = await startTestRegistry()
    try {
      const wrong = () => deskClient(other).send('POST', '/session', { code: 'y'.repeat(43) })
      const replies = await Promise.all(Array.from({ length: 20 }, wrong))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
      const code = await signInCode(other, 'rita')
      const late = await deskClient(other).send('POST', '/session', { code })
      expect(late).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(50)
      const first = { code, subject: 'eve', name: 'Eve' }
      expect((await deskClient(other).send('POST', '/first-run', first)).status).toBe(429)
    } finally {
      await other.stop()
    }
  })
})

describe('a write', () => {
  const headers = (origin: string | null, authorization = ''): Record<string, string> => ({
    'content-type': 'application/json',
    ...(origin === null ? {} : { origin }),
    ...(authorization === '' ? {} : { authorization }),
  })
  const foreign = (): (string | null)[] => [
    null,
    'null',
    'http://example.com',
    app.registry,
    app.dashboard.replace('127.0.0.1', 'localhost'),
    app.dashboard.replace('http:', 'https:'),
    `${app.dashboard}.example.com`,
  ]

  test('requires the origin of the desk, including a sign-in', async () => {
    const rita = await signIn(app, 'rita')
    const id = await app.submit({ name: 'origin' })
    const writes = [
      ['POST', '/session'],
      ['POST', '/first-run'],
      ['DELETE', '/session'],
      ['POST', `/releases/${id}/decision`],
      ['POST', '/people'],
      ['PATCH', '/people/1'],
      ['DELETE', '/people/1'],
      ['POST', '/own/tokens'],
    ] as const
    for (const [method, path] of writes) {
      for (const origin of foreign()) {
        const response = await fetch(`${app.dashboard}/desk/api${path}`, {
          method,
          headers: headers(origin, rita.authorization),
          body: '{}',
        })
        expect([response.status, await response.json()], `${method} ${path} from ${origin}`).toMatchObject([
          403,
          { code: 'ORIGIN_FORBIDDEN' },
        ])
      }
    }
    expect((await rita.get('/own/access')).status).toBe(200)
  })

  test('is refused for its origin before it consumes a code', async () => {
    const code = await signInCode(app, 'rita')
    const url = `${app.dashboard}/desk/api/session`
    const refused = await fetch(url, {
      method: 'POST',
      headers: headers(null),
      body: JSON.stringify({ code }),
    })
    expect(refused.status).toBe(403)
    expect((await deskClient(app).send('POST', '/session', { code })).status).toBe(200)
  })

  test('may use another loopback name if the desk was opened with it', async () => {
    const { port } = new URL(app.dashboard)
    const response = await fetch(`http://localhost:${port}/desk/api/session`, {
      method: 'POST',
      headers: headers(`http://localhost:${port}`),
      body: JSON.stringify({ code: await signInCode(app, 'rita') }),
    })
    expect(response.status).toBe(200)
  })
})

describe('a session', () => {
  test('requires its key, in the right scheme and format', async () => {
    const { authorization } = await signIn(app, 'rita')
    const key = authorization.slice('Bearer '.length)
    const sent = [
      '',
      key,
      'Bearer',
      `Bearer ${'x'.repeat(43)}`,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key} x`,
    ]
    for (const header of sent) {
      const reply = await deskClient(app, header).get('/own/releases')
      expect(reply, header).toMatchObject({ status: 401, body: { code: 'SESSION_MISSING' } })
      expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="desk"')
    }
    expect((await deskClient(app, `bearer ${key}`).get('/own/releases')).status).toBe(200)
  })

  test('is never recognized by a cookie or a query parameter with its key', async () => {
    const { authorization } = await signIn(app, 'rita')
    const key = authorization.slice('Bearer '.length)
    const { kid } = await readKey(app.folder)
    const cookie = `skilldock-desk-${kid.slice(0, 8)}=${key}; authorization=Bearer ${key}`
    const routes = routeGroups
      .filter(([, { credential }]) => credential === 'desk session')
      .flatMap(([, group]) => Object.values(group.routes))
      .filter(({ method, access }) => method === 'GET' && access !== 'public')
    expect(routes.length).toBeGreaterThan(30)
    for (const { path } of routes) {
      const address = `${app.dashboard}${path.replaceAll(/\{\w+\}/g, '1')}?authorization=${key}&key=${key}`
      const reply = await fetch(address, { headers: { cookie } })
      expect(reply.status, path).toBe(401)
      await reply.body?.cancel()
    }
  })

  test('is not accepted by the registry, and a token is not accepted by the desk', async () => {
    const { authorization } = await signIn(app, 'rita')
    const mine = await fetch(`${app.api}/mine`, { headers: { authorization } })
    expect(mine.status).toBe(401)
    expect(
      await refusal(`${app.dashboard}/desk/api/own/releases`, { token: app.administrator }),
    ).toMatchObject({
      status: 401,
      code: 'SESSION_MISSING',
    })
  })

  test('ends with signing out', async () => {
    const client = await signIn(app, 'rita')
    const old = client.authorization
    const reply = await client.send('DELETE', '/session')
    expect(reply).toMatchObject({ status: 200, body: { success: true } })
    expect((await deskClient(app, old).get('/own/releases')).status).toBe(401)
    expect(await state(deskClient(app, old))).toMatchObject({ person: null })
  })

  test('is valid for 30 days after its last use, which is recorded once a minute', async () => {
    const client = await signIn(app, 'rita')
    const times = () =>
      read<{ id: number; seen: string; expires: string }>(
        'SELECT id, last_seen_at AS seen, expires_at AS expires FROM desk_sessions ORDER BY id DESC LIMIT 1',
      )
    const fresh = await times()
    await client.get('/own/releases')
    expect(await times()).toEqual(fresh)
    const past = '2026-01-01T00:00:00.000Z'
    await change(
      'UPDATE desk_sessions SET last_seen_at = ?, expires_at = ? WHERE id = ?',
      past,
      '2999-01-01',
      fresh.id,
    )
    await client.get('/own/releases')
    const noted = await until('the use is recorded', async () => {
      const now = await times()
      return now.seen !== past && now
    })
    expect(Date.parse(noted.expires) - Date.parse(noted.seen)).toBe(30 * 24 * 3600 * 1000)
    await change('UPDATE desk_sessions SET expires_at = ? WHERE id = ?', new Date().toISOString(), fresh.id)
    expect((await client.get('/own/releases')).status).toBe(401)
  })

  test('that was recorded while the clock was ahead expires 30 days after its next use', async () => {
    const client = await signIn(app, 'rita')
    const ahead = new Date(Date.now() + 365 * 86_400_000).toISOString()
    const { id } = await read<{ id: number }>('SELECT max(id) AS id FROM desk_sessions')
    await change('UPDATE desk_sessions SET last_seen_at = ?, expires_at = ? WHERE id = ?', ahead, ahead, id)
    await client.get('/own/releases')
    const end = await until('the use is recorded', async () => {
      const row = await read<{ at: string }>(`SELECT expires_at AS at FROM desk_sessions WHERE id = ${id}`)
      return row.at !== ahead && Date.parse(row.at)
    })
    expect(end).toBeLessThanOrEqual(Date.now() + 30 * 86_400_000)
  })

  test('returns the current permissions of its person', async () => {
    await app.token({ subject: 'rolf', role: 'administrator' })
    const rolf = await signIn(app, 'rolf')
    expect((await rolf.get('/people')).status).toBe(200)
    await withPeople((people) => people.changeRole('rolf', 'developer'), app.folder)
    expect(await rolf.get('/people')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await rolf.get('/own/releases')).status).toBe(200)
    await withPeople((people) => people.removePerson('rolf'), app.folder)
    expect((await rolf.get('/own/releases')).status).toBe(401)
    await withPeople((people) => people.addPerson({ subject: 'rolf' }), app.folder)
    expect((await rolf.get('/own/releases')).status).toBe(401)
  })
})

describe('the first run', () => {
  let empty: TestServer
  beforeAll(async () => {
    empty = await startTestServer()
  })
  afterAll(() => empty.stop())
  const first = (code: string, subject: string) => ({ code, subject, name: 'The First' })

  test('shows the data folder and requires its own code', async () => {
    expect(await state(deskClient(empty))).toMatchObject({ firstRun: { dataFolder: empty.folder } })
    const reply = await deskClient(empty).send('POST', '/first-run', first('z'.repeat(43), 'anna'))
    expect(reply).toMatchObject({ status: 401, body: { code: 'CODE_INVALID' } })
    await empty.token({ subject: 'dev' })
    const code = await signInCode(empty, 'dev')
    expect((await deskClient(empty).send('POST', '/first-run', first(code, 'anna'))).status).toBe(401)
    expect((await deskClient(empty).send('POST', '/session', { code })).status).toBe(200)
  })

  test('refuses a name that is taken or invalid, and the code stays valid', async () => {
    const code = await signInCode(empty, null)
    const taken = await deskClient(empty).send('POST', '/first-run', first(code, 'dev'))
    expect(taken).toMatchObject({ status: 409, body: { code: 'PERSON_EXISTS' } })
    for (const body of [
      first(code, 'a b'),
      { ...first(code, 'anna'), name: ' ' },
      { code, subject: 'anna' },
    ]) {
      expect((await deskClient(empty).send('POST', '/first-run', body)).status).toBe(400)
    }
    expect((await deskClient(empty).send('POST', '/session', { code })).status).toBe(401)
  })

  test('creates one administrator, however many requests arrive at the same time', async () => {
    const codes = await Promise.all(['a', 'b', 'c'].map(() => signInCode(empty, null)))
    const clients = codes.map(() => deskClient(empty))
    const replies = await Promise.all(
      clients.map((client, index) =>
        client.send('POST', '/first-run', first(codes[index] ?? '', `admin-${index}`)),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    const winner = clients[replies.findIndex(({ status }) => status === 200)]
    expect(await winner?.get('/people')).toMatchObject({ status: 200 })
    const people = await withPeople(async (service) => service.listPeople(), empty.folder)
    expect(people.filter(({ role }) => role === 'administrator')).toMatchObject([{ name: 'The First' }])
    expect(await state(deskClient(empty))).toMatchObject({ firstRun: null })
    const late = first(await signInCode(empty, null), 'late')
    expect((await deskClient(empty).send('POST', '/first-run', late)).status).toBe(401)
  })
})
