import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import type { DeskLogin, LoginAnswer, StartedLogin } from '../../src/shared/contracts/logins.ts'
import { deskClient, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient, DeskReply } from '../support/desk/desk-client.ts'
import { startRemoteDesk } from '../support/desk/remote-desk.ts'
import type { RemoteDesk } from '../support/desk/remote-desk.ts'
import { skipWithout } from '../support/programs.ts'
import { startOidcIssuer } from '../support/server/oidc-issuer.ts'
import { call } from '../support/server/publish.ts'
import type { Reply } from '../support/server/publish.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { startTestServer } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let alice: DeskClient
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry()
  alice = await signIn(app, 'alice')
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

type Refused = { code: string; error: string }

const start = async (
  client = 'skill on a-laptop',
  at: Pick<TestRegistry, 'registry'> = app,
): Promise<StartedLogin> => {
  const reply = await call<StartedLogin>(`${at.registry}/api/skilldock/logins`, {
    method: 'POST',
    body: { client },
  })
  expect(reply.status).toBe(201)
  return reply.body
}
const poll = (deviceCode: string): Promise<Reply<LoginAnswer & Partial<Refused>>> =>
  call(`${app.registry}/api/skilldock/logins/token`, { method: 'POST', body: { deviceCode } })
/** Polls again as soon as the rate limit permits. */
const pollAgain = (deviceCode: string) =>
  until('the terminal may poll again', async () => {
    const reply = await poll(deviceCode)
    return reply.status === 429 ? null : reply
  })
const see = (desk: DeskClient, userCode: string) => desk.get<DeskLogin & Refused>(`/logins/${userCode}`)
const confirm = (desk: DeskClient, userCode: string): Promise<DeskReply<DeskLogin & Refused>> =>
  desk.send('POST', `/logins/${userCode}/confirm`)
const refuse = (desk: DeskClient, userCode: string): Promise<DeskReply<DeskLogin & Refused>> =>
  desk.send('POST', `/logins/${userCode}/refuse`)
const tokensOf = async (subject: string) => withPeople((people) => people.listTokens(subject), app.folder)

describe('a confirmed terminal', () => {
  test('gets a 30-day publish token of the person who confirmed, named after the terminal', async () => {
    const before = Date.now()
    const login = await start('skill on Annas Laptop')
    expect(login).toMatchObject({
      confirmUrl: `${app.dashboard}/desk/confirm#${login.userCode}`,
      intervalSeconds: 2,
    })
    const life = Date.parse(login.expiresAt) - before
    expect(life).toBeGreaterThanOrEqual(600_000)
    expect(life).toBeLessThan(630_000)

    const seen = await see(alice, login.userCode)
    expect(seen).toMatchObject({
      status: 200,
      body: {
        client: 'skill on Annas Laptop',
        address: '127.0.0.1',
        place: 'here',
        state: 'waiting',
        decidedBy: null,
        expiresAt: login.expiresAt,
        foreignIssuer: null,
      },
    })
    expect(await confirm(alice, login.userCode)).toMatchObject({
      status: 200,
      body: { state: 'confirmed', decidedBy: { subject: 'alice', name: 'Alice' } },
    })
    // The token is only created when the terminal polls.
    expect(await tokensOf('alice')).not.toContainEqual(
      expect.objectContaining({ label: 'skill on Annas Laptop' }),
    )

    const { status, body } = await poll(login.deviceCode)
    if (body.state !== 'confirmed') throw new Error(`${status} ${JSON.stringify(body)}`)
    expect(body.person).toEqual({ subject: 'alice', name: 'Alice' })
    const { jti = '', sub } = decodeJwt(body.token)
    expect(sub).toBe('alice')
    expect(await tokensOf('alice')).toContainEqual(
      expect.objectContaining({
        jti,
        label: 'skill on Annas Laptop',
        scope: 'publish',
        expiresAt: body.expiresAt,
      }),
    )
    const days = (Date.parse(body.expiresAt) - before) / 86_400_000
    expect(days).toBeGreaterThan(29.99)
    expect(days).toBeLessThan(30.01)
    // It is listed and revoked like any other token.
    const { body: own } = await alice.get<{ items: { id: string }[] }>('/own/access')
    expect(own.items.map(({ id }) => id)).toContain(jti)
    expect((await see(alice, login.userCode)).body.state).toBe('taken')
    expect((await call(`${app.api}/mine`, { token: body.token })).status).toBe(200)
  })

  test('may only publish, even if an administrator confirmed', async () => {
    const login = await start()
    await confirm(rita, login.userCode)
    const { body } = await poll(login.deviceCode)
    const token = body.state === 'confirmed' ? body.token : ''
    expect((await call(`${app.api}/mine`, { token })).status).toBe(200)
    expect(await refusal(`${app.api}/review`, { token })).toMatchObject({
      status: 403,
      code: 'SCOPE_INSUFFICIENT',
    })
  })

  test('gets the token once: a repeated poll returns nothing', async () => {
    const login = await start('asked twice')
    await confirm(alice, login.userCode)
    const replies = await Promise.all([1, 2, 3].map(() => poll(login.deviceCode)))
    expect(replies.filter(({ body }) => body.state === 'confirmed')).toHaveLength(1)
    expect(await pollAgain(login.deviceCode)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    const made = (await tokensOf('alice')).filter(({ label }) => label === 'asked twice')
    expect(made).toHaveLength(1)
  })
})

describe('a terminal gets no token', () => {
  test('before it is confirmed, and may poll every two seconds', async () => {
    const login = await start()
    expect(await poll(login.deviceCode)).toMatchObject({ status: 200, body: { state: 'waiting' } })
    const early = await poll(login.deviceCode)
    expect(early).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(early.headers.get('retry-after')).toBe('2')
    expect((await pollAgain(login.deviceCode)).body).toEqual({ state: 'waiting' })
  })

  test('once it is denied, even after it was confirmed', async () => {
    const [first, second] = [await start(), await start()]
    expect((await refuse(alice, first.userCode)).body.state).toBe('refused')
    expect((await poll(first.deviceCode)).body).toEqual({ state: 'refused' })
    await confirm(alice, second.userCode)
    // Anyone who sees the mistake can deny the login, even after another person confirmed it.
    expect((await refuse(rita, second.userCode)).body).toMatchObject({
      state: 'refused',
      decidedBy: { subject: 'rita' },
    })
    expect((await poll(second.deviceCode)).body).toEqual({ state: 'refused' })
    const denied = await rita.get<{ items: AuditEntry[] }>('/history?kind=terminal.denied')
    expect(denied.body.items).toMatchObject([
      { person: 'rita', channel: 'desk' },
      {
        person: 'Alice',
        name: 'alice',
        changes: [
          { field: 'address', to: '127.0.0.1' },
          { field: 'client', to: 'skill on a-laptop' },
        ],
      },
    ])
    for (const { userCode } of [first, second]) {
      const late = await confirm(alice, userCode)
      expect(late).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
      expect(late.body.error).toContain('has already denied this sign-in')
    }
  })

  test('for the code that people compare, or for an unknown one', async () => {
    const login = await start()
    await confirm(alice, login.userCode)
    for (const code of [login.userCode, login.userCode.replace('-', ''), 'x'.repeat(43), ' ']) {
      const reply = await poll(code)
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      expect(reply.body.error).toContain('Start again with: skill login')
    }
    expect((await poll(login.deviceCode)).body.state).toBe('confirmed')
  })

  test('if the person who confirmed was removed before it polled, even if they were added again', async () => {
    await app.token({ subject: 'gone' })
    const gone = await signIn(app, 'gone')
    const [removed, back] = [await start('to a removed one'), await start('to one that is back')]
    await confirm(gone, removed.userCode)
    await confirm(gone, back.userCode)
    await withPeople((people) => people.removePerson('gone'), app.folder)
    expect((await poll(removed.deviceCode)).body).toEqual({ state: 'refused' })
    await withPeople((people) => people.addPerson({ subject: 'gone' }), app.folder)
    expect((await poll(back.deviceCode)).body).toEqual({ state: 'refused' })
    expect((await tokensOf('gone')).filter(({ label }) => label.startsWith('to '))).toEqual([])
  })

  test('if the session that confirmed was ended before it polled', async () => {
    const login = await start()
    const desk = await signIn(app, 'alice')
    await confirm(desk, login.userCode)
    await desk.send('DELETE', '/session')
    expect((await poll(login.deviceCode)).body).toEqual({ state: 'refused' })
    expect((await see(alice, login.userCode)).body.state).toBe('refused')
  })
})

describe('a confirmation', () => {
  test('can be repeated, but not by another person', async () => {
    const login = await start()
    const [one, two, other] = await Promise.all([
      confirm(alice, login.userCode),
      confirm(alice, login.userCode),
      confirm(rita, login.userCode),
    ])
    const winners = [one, two, other].filter(({ status }) => status === 200)
    const { decidedBy } = (await see(alice, login.userCode)).body
    expect(winners).toHaveLength(decidedBy?.subject === 'alice' ? 2 : 1)
    const { body } = await poll(login.deviceCode)
    expect(body.state === 'confirmed' && body.person.subject).toBe(decidedBy?.subject)
    const late = await confirm(decidedBy?.subject === 'alice' ? rita : alice, login.userCode)
    expect(late).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    expect(late.body.error).toContain('revoke the token under My releases')
    expect(await refuse(alice, login.userCode)).toMatchObject({ status: 409 })
  })

  test('requires a session and the origin of the desk; a token is not enough', async () => {
    const login = await start()
    const path = `/desk/api/logins/${login.userCode}`
    const origin = { origin: app.dashboard }
    const requests: [string, string, Record<string, string>, number, string][] = [
      ['GET', path, {}, 401, 'SESSION_MISSING'],
      ['POST', `${path}/confirm`, origin, 401, 'SESSION_MISSING'],
      [
        'POST',
        `${path}/confirm`,
        { ...origin, authorization: `Bearer ${app.developer}` },
        401,
        'SESSION_MISSING',
      ],
      ['POST', `${path}/confirm`, { authorization: alice.authorization }, 403, 'ORIGIN_FORBIDDEN'],
      [
        'POST',
        `${path}/confirm`,
        { authorization: alice.authorization, origin: app.registry },
        403,
        'ORIGIN_FORBIDDEN',
      ],
      [
        'POST',
        `${path}/refuse`,
        { authorization: alice.authorization, origin: 'null' },
        403,
        'ORIGIN_FORBIDDEN',
      ],
      [
        'POST',
        `${path}/confirm`,
        { ...origin, authorization: alice.authorization, 'sec-fetch-site': 'cross-site' },
        403,
        'ORIGIN_FORBIDDEN',
      ],
    ]
    for (const [method, address, headers, status, code] of requests) {
      const response = await fetch(`${app.dashboard}${address}`, { method, headers })
      expect([response.status, await response.json()], `${method} ${address}`).toMatchObject([
        status,
        { code },
      ])
    }
    expect((await see(alice, login.userCode)).body.state).toBe('waiting')
  })

  test('does not exist on the registry listener, nor does starting a login on the desk', async () => {
    const login = await start()
    expect((await refusal(`${app.registry}/desk/api/logins/${login.userCode}`)).status).toBe(404)
    expect(
      (await refusal(`${app.dashboard}/api/skilldock/logins`, { method: 'POST', body: {} })).status,
    ).toBe(404)
  })
})

describe('a code at the desk', () => {
  test('can be guessed 20 times a minute per person, without affecting others', async () => {
    await app.token({ subject: 'guesser' })
    const guesser = await signIn(app, 'guesser')
    const login = await start()
    const replies = await Promise.all(Array.from({ length: 20 }, () => see(guesser, 'BBBB-BBBB')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]))
    const late = await confirm(guesser, login.userCode)
    expect(late).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await see(alice, login.userCode)).status).toBe(200)
  })

  test('that is malformed is 400', async () => {
    for (const code of ['bcdf-ghjk', 'BCDFGHJK', 'AEIO-UAEI', '%00']) {
      expect(await see(alice, code)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    }
  })
})

describe('the client that asks', () => {
  const startAs = (client: unknown) =>
    refusal(`${app.registry}/api/skilldock/logins`, { method: 'POST', body: { client } })

  test('can only have a name without control characters and invisible characters', async () => {
    for (const client of [
      '',
      '  ',
      'x'.repeat(101),
      'a\nb',
      'a\u202Eb',
      'a\u200Bb',
      'a\u0301',
      '\u001B[2J',
      5,
      null,
    ]) {
      expect(await startAs(client), JSON.stringify(client)).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
      })
    }
    expect((await start('  skill on Żółw’s “PC” (2) ✓  ')).userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
  })

  /** A POST request with exactly these headers, including `Host`. */
  const post = async (path: string, headers: Record<string, string>, body: unknown) => {
    const client = await connectRaw(app.registry)
    const text = JSON.stringify(body)
    const all = { 'Content-Type': 'application/json', 'Content-Length': text.length, ...headers }
    await client.send(requestHead('POST', app.registry + path, all) + text)
    const answer = await client.answer()
    client.destroy()
    return { status: answer.status, body: JSON.parse(answer.body) as StartedLogin & Refused }
  }
  const rebound = (): string => `attacker.example:${new URL(app.registry).port}`

  test('cannot be a page of another site, even if its name is rebound to this address', async () => {
    const pages = [
      { Host: rebound(), Origin: `http://${rebound()}` },
      { Host: rebound(), Origin: 'null' },
      { Origin: 'https://attacker.example' },
      { Origin: app.dashboard },
    ]
    for (const headers of pages) {
      for (const path of ['/api/skilldock/logins', '/api/skilldock/logins/token', '/showcase/submit']) {
        expect(await post(path, headers, { client: 'skill' }), path).toMatchObject({
          status: 403,
          body: { code: 'ORIGIN_FORBIDDEN' },
        })
      }
    }
    const question = await fetch(`${app.registry}/api/skilldock/logins`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(question.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is not shown as this computer if the request was forwarded', async () => {
    const response = await fetch(`${app.registry}/api/skilldock/logins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
      body: '{"client":"skill"}',
    })
    const { userCode } = (await response.json()) as StartedLogin
    expect((await see(alice, userCode)).body).toMatchObject({ place: 'unknown', address: '127.0.0.1' })
  })

  test('is only shown as this computer if Host is a name of the registry', async () => {
    const placeWith = async (host: string): Promise<string> => {
      const { body } = await post('/api/skilldock/logins', { Host: host }, { client: 'skill' })
      return (await see(alice, body.userCode)).body.place
    }
    expect(await placeWith(`localhost:${new URL(app.registry).port}`)).toBe('here')
    expect(await placeWith(rebound())).toBe('unknown')
    expect(await placeWith('127.0.0.1')).toBe('unknown')
  })
})

test('behind a trusted proxy each address has its own limit, and the desk shows the address', async () => {
  const behind = await startTestRegistry({ config: { trustProxy: ['127.0.0.1'] } })
  try {
    const from = async (address: string): Promise<{ status: number; body: StartedLogin }> => {
      const response = await fetch(`${behind.registry}/api/skilldock/logins`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: '{"client":"skill"}',
      })
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(500)
      return { status: response.status, body: (await response.json()) as StartedLogin }
    }
    const all = await Promise.all(Array.from({ length: 21 }, () => from('203.0.113.7')))
    expect(all.filter(({ status }) => status === 429)).toHaveLength(1)
    const other = await from('203.0.113.8')
    expect(other.status).toBe(201)
    const desk = await signIn(behind, 'alice')
    expect((await see(desk, other.body.userCode)).body).toMatchObject({
      place: 'elsewhere',
      address: '203.0.113.8',
    })
  } finally {
    await behind.stop()
  }
})

test('a restart forgets every pending login, and says so', async () => {
  const first = await startTestServer()
  let second: Awaited<ReturnType<typeof startTestServer>> | null = null
  try {
    await first.token({ subject: 'alice' })
    const desk = await signIn(first, 'alice')
    const login = await start('skill', first)
    await confirm(desk, login.userCode)
    await first.server.stop()
    second = await startTestServer({ folder: first.folder })
    const reply = await call<Refused>(`${second.registry}/api/skilldock/logins/token`, {
      method: 'POST',
      body: { deviceCode: login.deviceCode },
    })
    expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(reply.body.error).toContain('when the registry restarts')
    expect((await see(deskClient(second, desk.authorization), login.userCode)).status).toBe(404)
  } finally {
    await second?.stop()
    await first.stop()
  }
})

test('a person of an external issuer is told where their tokens come from', async () => {
  const issuer = await startOidcIssuer()
  const other = await startTestRegistry({ config: { issuers: [issuer.settings()] } })
  try {
    await call(`${other.api}/mine`, { token: await issuer.sign({ sub: 'bob' }) })
    const bob = await signIn(other, 'bob')
    const login = await start('skill', other)
    expect((await see(bob, login.userCode)).body.foreignIssuer).toBe(issuer.url)
    const refused = await confirm(bob, login.userCode)
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(refused.body.error).toContain(issuer.url)
    expect((await see(bob, login.userCode)).body.state).toBe('waiting')
    expect((await refuse(bob, login.userCode)).status).toBe(200)
  } finally {
    await other.stop()
    await issuer.stop()
  }
})

describe('the token of a request', () => {
  const url = () => `${app.registry}/api/skilldock/token`

  test('is described by person, scope and expiry', async () => {
    const issued = await withPeople(
      (people) => people.issueToken({ subject: 'rita', scope: 'publish', label: 'ci', life: 3600 }),
      app.folder,
    )
    expect(await call(url(), { token: issued.token })).toMatchObject({
      status: 200,
      body: {
        person: { subject: 'rita', name: null, role: 'administrator', issuer: 'skilldock' },
        scope: 'publish',
        label: 'ci',
        expiresAt: issued.expiresAt,
      },
    })
    expect((await call(url(), { token: app.developer })).body).toMatchObject({
      scope: null,
      label: 'command line',
    })
    expect(await refusal(url())).toMatchObject({ status: 401, code: 'TOKEN_MISSING' })
  })

  test('can revoke itself, immediately, and only itself', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => app.token({ subject: 'ender', scope: 'publish' })))
    expect(await call(url(), { method: 'DELETE', token: one ?? '' })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await refusal(url(), { method: 'DELETE', token: one ?? '' })).toMatchObject({
      status: 401,
      code: 'TOKEN_REVOKED',
    })
    expect(await refusal(`${app.api}/mine`, { token: one ?? '' })).toMatchObject({ status: 401 })
    expect((await call(`${app.api}/mine`, { token: two ?? '' })).status).toBe(200)
    const ended = (await tokensOf('ender')).filter(({ revokedAt }) => revokedAt !== null)
    expect(ended).toHaveLength(1)
  })

  test('of an external issuer is described the same way, and can only be revoked there', async () => {
    const issuer = await startOidcIssuer()
    const other = await startTestRegistry({ config: { issuers: [issuer.settings()] } })
    try {
      // The issuer chooses its id, which may equal that of another person's token.
      const victim = await other.token({ subject: 'victim' })
      const token = await issuer.sign({ sub: 'bob', name: 'Bob', jti: decodeJwt(victim).jti })
      const address = `${other.registry}/api/skilldock/token`
      const { body } = await call<{ expiresAt: string }>(address, { token })
      expect(body).toMatchObject({ person: { subject: 'bob', issuer: issuer.url }, scope: null, label: null })
      expect(Date.parse(body.expiresAt)).toBe((decodeJwt(token).exp ?? 0) * 1000)
      const refused = await call<Refused>(address, { token, method: 'DELETE' })
      expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
      expect(refused.body.error).toBe(`This token was issued by ${issuer.url}. Revoke it there.`)
      expect((await call(address, { token })).status).toBe(200)
      expect((await call(address, { token: victim })).status).toBe(200)
    } finally {
      await other.stop()
      await issuer.stop()
    }
  })
})

describe.skipIf(skipWithout('caddy'))('with a remote desk', () => {
  let remote: RemoteDesk
  beforeAll(async () => {
    remote = await startRemoteDesk()
  })
  afterAll(() => remote?.stop())

  const pollRemote = (deviceCode: string) =>
    until('the terminal may poll again', async () => {
      const address = `${remote.registry}/api/skilldock/logins/token`
      const reply = await call<LoginAnswer>(address, { method: 'POST', body: { deviceCode } })
      return reply.status === 429 ? null : reply.body
    })

  test('a terminal elsewhere is confirmed there and gets its token', async () => {
    const login = await start('skill on a server', remote)
    expect(login.confirmUrl).toBe(`${remote.site}/desk/confirm#${login.userCode}`)
    const browser = await remote.signedIn('alice')
    const seen = await browser.send('GET', `/desk/api/logins/${login.userCode}`)
    expect(seen).toMatchObject({ status: 200, body: { state: 'waiting', client: 'skill on a server' } })
    const address = `/desk/api/logins/${login.userCode}/confirm`
    expect(
      await browser.send('POST', address, { headers: { origin: 'https://evil.example' } }),
    ).toMatchObject({
      status: 403,
    })
    expect(await browser.send('POST', address)).toMatchObject({ status: 200, body: { state: 'confirmed' } })
    const answer = await pollRemote(login.deviceCode)
    expect(answer).toMatchObject({ state: 'confirmed', person: { subject: 'alice' } })
  })

  test('a terminal gets nothing once the session that confirmed it has ended', async () => {
    const login = await start('skill', remote)
    const browser = await remote.signedIn('alice')
    await browser.send('POST', `/desk/api/logins/${login.userCode}/confirm`)
    expect((await browser.send('DELETE', '/desk/api/session')).status).toBe(200)
    expect(await pollRemote(login.deviceCode)).toEqual({ state: 'refused' })
  })

  test('nobody confirms a terminal there without being signed in', async () => {
    const login = await start('skill', remote)
    const browser = remote.browser()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/confirm'],
      ['POST', '/refuse'],
    ] as const) {
      const reply = await browser.send(method, `/desk/api/logins/${login.userCode}${path}`)
      expect(reply).toMatchObject({ status: 401, body: { code: 'SESSION_MISSING' } })
    }
  })
})

test('no code is stored in the database, and neither the poll secret nor the token is logged', async () => {
  const login = await start()
  await see(alice, login.userCode)
  await confirm(alice, login.userCode)
  const dump = await withDatabase(app, async ({ reader }) => {
    const tables = reader
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all() as string[]
    return JSON.stringify(tables.map((table) => reader.prepare(`SELECT * FROM "${table}"`).all()))
  })
  expect(dump).not.toContain(login.deviceCode)
  expect(dump).not.toContain(login.userCode)
  const { body } = await poll(login.deviceCode)
  const logs = app.logs.join('')
  expect(logs).not.toContain(login.deviceCode)
  expect(body.state === 'confirmed' && !logs.includes(body.token)).toBe(true)
})
