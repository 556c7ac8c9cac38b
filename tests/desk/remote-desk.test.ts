import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeTable } from '../../src/server/composition/route-table.ts'
import { removeSessionCookie } from '../../src/server/domains/identity/sessions.rules.ts'
import type { DeskState } from '../../src/shared/contracts/desk-session.ts'
import type { DeskServices } from '../../src/shared/contracts/desk-services.ts'
import type { DeskSettings } from '../../src/shared/contracts/desk-settings.ts'
import type { PersonDetail } from '../../src/shared/contracts/desk-people.ts'
import type { StartedLogin } from '../../src/shared/contracts/logins.ts'
import { framePath } from '../../src/shared/frames/frames.ts'
import type { Route } from '../../src/shared/route.ts'
import { deskClient, signIn, signInCode, withDatabase } from '../support/desk/desk-client.ts'
import { startRemoteDesk } from '../support/desk/remote-desk.ts'
import type { RemoteBrowser, RemoteDesk, RemoteReply } from '../support/desk/remote-desk.ts'
import { skipWithout } from '../support/programs.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

const session = '/desk/api/session'
const unknownCode = 'x'.repeat(43)

/** Every request passes through Caddy to one of two workers, which forwards it to the server. */
describe.skipIf(skipWithout('caddy'))('the remote desk', () => {
  let app: RemoteDesk
  beforeAll(async () => {
    app = await startRemoteDesk({
      workerCount: 2,
      rateLimits: { signIn: { quota: 20, windowSeconds: 3600 } },
      config: { undoMs: 0 },
    })
  })
  afterAll(() => app?.stop())

  const personOf = async (browser: RemoteBrowser): Promise<unknown> =>
    (await browser.send<DeskState>('GET', '/desk/api/state')).body.person?.subject ?? null
  const change = (at: RemoteDesk, sql: string, ...values: unknown[]): Promise<void> =>
    withDatabase(at, (database) => database.transact(() => void database.writer.prepare(sql).run(...values)))

  test('is served with its frames at their HTTPS addresses, and the registry beside it', async () => {
    const page = await app.browser().send<string>('GET', '/desk/review/1')
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toContain(`frame-src ${app.site}${framePath('run')} `)
    expect((await app.browser().send('GET', '/desk')).headers.location).toBe('/desk/')
    expect((await app.browser().send('GET', '/api/health')).status).toBe(200)
    expect((await app.browser().send('GET', '/desk/api/nothing')).body).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('and the registry beside it are only reached over HTTPS by browsers that have been there', async () => {
    for (const path of [
      '/desk/',
      '/desk/api/state',
      '/',
      '/api/marketplace/skills',
      '/desk/api/nothing',
      '/no',
    ]) {
      const { headers } = await app.browser().send('GET', path)
      expect(headers['strict-transport-security'], path).toBe('max-age=31536000')
    }
    const local = await fetch(`${app.dashboard}/api/health`)
    expect(local.headers.has('strict-transport-security')).toBe(false)
  })

  test('people review and decide there, and the local desk goes on with its own sessions', async () => {
    const id = await app.submit({ name: 'decided-remotely' })
    const browser = await app.signedIn('rita')
    const decided = await browser.send('POST', `/desk/api/releases/${id}/decision`, {
      body: { action: 'approved', reason: 'I read all of it.' },
    })
    expect(decided).toMatchObject({ status: 200 })
    const local = await signIn(app, 'rita')
    expect((await local.get('/releases/1')).status).toBe(200)
    expect((await browser.send('DELETE', session)).status).toBe(200)
    expect(await personOf(browser)).toBeNull()
    expect((await local.get('/releases/1')).status).toBe(200)
  })

  describe('its session', () => {
    test('is a cookie that no script can read and no other host can set', async () => {
      const browser = app.browser()
      const reply = await browser.send('POST', session, { body: { code: await signInCode(app, 'rita') } })
      expect(reply.body).toEqual({ person: expect.objectContaining({ subject: 'rita' }), sessionKey: null })
      expect(reply.headers['set-cookie']).toEqual([
        expect.stringMatching(
          /^__Host-skilldock-desk=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800$/,
        ),
      ])
      const out = await browser.send('DELETE', session)
      expect(out.headers['set-cookie']).toEqual([removeSessionCookie])
    })

    test('is not accepted by the local desk, and its key not in a header; a local one is not accepted here', async () => {
      const browser = await app.signedIn('rita')
      const key = browser.cookie.split('=')[1] ?? ''
      const header = await app.browser().send<DeskState>('GET', '/desk/api/state', {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(header.body.person).toBeNull()
      expect((await deskClient(app, `Bearer ${key}`).get('/people')).status).toBe(401)
      const local = await signIn(app, 'rita')
      const localKey = local.authorization.slice('Bearer '.length)
      const mixed = app.browser()
      mixed.cookie = `__Host-skilldock-desk=${localKey}`
      expect(await personOf(mixed)).toBeNull()
      const bearer = { headers: { authorization: local.authorization } }
      expect((await app.browser().send('GET', '/desk/api/people', bearer)).status).toBe(401)
      // Nor does a cookie reach the local desk.
      const response = await fetch(`${app.dashboard}/desk/api/people`, {
        headers: { cookie: browser.cookie },
      })
      expect(response.status).toBe(401)
    })

    test('fixation: a sign-in always makes a new key, and ends the session that the browser had before', async () => {
      const attacker = await app.signedIn('alice')
      const planted = app.browser()
      planted.cookie = attacker.cookie
      const reply = await planted.send('POST', session, { body: { code: await signInCode(app, 'rita') } })
      expect(reply.status).toBe(200)
      expect(planted.cookie).not.toBe(attacker.cookie)
      expect([await personOf(planted), await personOf(attacker)]).toEqual(['rita', null])
      const invented = app.browser()
      invented.cookie = `__Host-skilldock-desk=${unknownCode}`
      await invented.send('POST', session, { body: { code: await signInCode(app, 'rita') } })
      expect(invented.cookie).not.toContain(unknownCode)
      // Which of two cookies a browser meant is unknown.
      const twice = app.browser()
      twice.cookie = `${invented.cookie}; ${planted.cookie}`
      expect(await personOf(twice)).toBeNull()
    })

    test('ends after 12 hours without use, and after 7 days in any case', async () => {
      const browser = await app.signedIn('rita')
      const expiry = async (): Promise<{ id: number; hours: number }> =>
        withDatabase(app, async ({ reader }) => {
          const row = reader
            .prepare('SELECT id, expires_at AS at FROM desk_sessions WHERE remote = 1 ORDER BY id DESC')
            .get() as { id: number; at: string }
          return { id: row.id, hours: Math.round((Date.parse(row.at) - Date.now()) / 3_600_000) }
        })
      const { id, hours } = await expiry()
      expect(hours).toBe(12)
      const hoursAgo = (count: number): string => new Date(Date.now() - count * 3_600_000).toISOString()
      // Used after 6 d 18 h: the end is then that of the seven days.
      await change(
        app,
        'UPDATE desk_sessions SET created_at = ?, last_seen_at = ? WHERE id = ?',
        hoursAgo(162),
        hoursAgo(1),
        id,
      )
      expect(await personOf(browser)).toBe('rita')
      await until('the use is recorded', async () => ((await expiry()).hours === 6 ? true : null))
      await change(app, 'UPDATE desk_sessions SET created_at = ? WHERE id = ?', hoursAgo(169), id)
      expect(await personOf(browser)).toBeNull()
      // Also if it was started while the clock was ahead.
      await change(app, 'UPDATE desk_sessions SET created_at = ? WHERE id = ?', hoursAgo(-24), id)
      expect(await personOf(browser)).toBeNull()
      await change(app, 'UPDATE desk_sessions SET created_at = ? WHERE id = ?', hoursAgo(1), id)
      expect(await personOf(browser)).toBe('rita')
      await change(app, 'UPDATE desk_sessions SET expires_at = ? WHERE id = ?', hoursAgo(0), id)
      expect(await personOf(browser)).toBeNull()
    })

    test('is listed in People as remote, where it can be ended, which also ends its event stream', async () => {
      const browser = await app.signedIn('alice')
      const stream = await browser.open('/desk/api/events')
      expect(stream.statusCode).toBe(200)
      stream.resume()
      const ended = once(stream, 'end')
      const local = await signIn(app, 'rita')
      const { items } = (await local.get<{ items: { id: number; subject: string }[] }>('/people')).body
      const alice = items.find(({ subject }) => subject === 'alice')?.id
      const { access } = (await local.get<PersonDetail>(`/people/${alice}`)).body
      const entry = access.find(({ remote, endedAt }) => remote && endedAt === null)
      expect(entry).toMatchObject({ kind: 'session', current: false })
      const own = await browser.send<{ items: PersonDetail['access'] }>('GET', '/desk/api/own/access')
      expect(own.body.items.find(({ current }) => current)).toMatchObject({ id: entry?.id, remote: true })
      await local.send('DELETE', `/people/${alice}/access/session/${entry?.id}`)
      expect(await personOf(browser)).toBeNull()
      await ended
    })
  })

  describe('CSRF:', () => {
    const decline = async (reply: Promise<RemoteReply<unknown>>): Promise<unknown> => {
      const { status, body } = await reply
      return [status, (body as { code?: string }).code]
    }
    const foreign = [403, 'ORIGIN_FORBIDDEN']

    test('a write needs the exact public origin, whatever the cookie', async () => {
      const browser = await app.signedIn('rita')
      const write = (headers: Record<string, string>) =>
        decline(browser.send('PUT', '/desk/api/settings', { headers, body: { changes: { undoMs: 0 } } }))
      expect(await write({ origin: 'https://evil.example' })).toEqual(foreign)
      expect(await write({ origin: 'null' })).toEqual(foreign)
      expect(await write({ origin: app.site.replace('https', 'http') })).toEqual(foreign)
      expect(await write({ origin: app.registry })).toEqual(foreign)
      expect(await write({ origin: `${app.site}.evil.example` })).toEqual(foreign)
      for (const site of ['cross-site', 'same-site']) {
        expect(await write({ 'sec-fetch-site': site })).toEqual(foreign)
      }
      for (const origin of [null, '']) {
        expect(await decline(browser.send('DELETE', session, { origin })), String(origin)).toEqual(foreign)
      }
      expect(await personOf(browser)).toBe('rita')
    })

    test('other websites, also on the same site, can read nothing and sign nobody in', async () => {
      const browser = await app.signedIn('rita')
      for (const site of ['cross-site', 'same-site']) {
        const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
        for (const path of ['/desk/api/people', '/desk/api/state', '/desk/', '/desk/scheme.js']) {
          expect(await decline(browser.send('GET', path, { headers })), path).toEqual(foreign)
        }
        const navigation = { ...headers, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
        // A sign-in link in a mail, but not an address of the API.
        expect((await browser.send('GET', '/desk/people', { headers: navigation })).status).toBe(200)
        expect(await decline(browser.send('GET', '/desk/api/people', { headers: navigation }))).toEqual(
          foreign,
        )
      }
      const origin = 'https://evil.example'
      expect(await decline(browser.send('GET', '/desk/api/people', { origin }))).toEqual(foreign)
      const code = await signInCode(app, 'alice')
      const forced = app.browser().send('POST', session, { origin, body: { code } })
      expect(await decline(forced)).toEqual(foreign)
    })

    test('any other host is refused, even past the proxy', async () => {
      for (const host of [
        new URL(app.registry).host,
        'evil.example',
        `${new URL(app.site).host}@evil.example`,
      ]) {
        const client = await connectRaw(app.registry)
        await client.send(requestHead('GET', `${app.registry}/desk/api/state`, { Host: host }))
        const { status, body } = await client.answer()
        client.destroy()
        expect([status, JSON.parse(body)]).toEqual([403, expect.objectContaining({ code: 'HOST_FORBIDDEN' })])
        expect(body).toContain(app.site)
      }
    })
  })

  test('framing and clickjacking: no page of another site can show the desk, and the desk only its sandbox', async () => {
    const embedded = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
    }
    const refused = await app.browser().send('GET', '/desk/', { headers: embedded })
    expect([refused.status, refused.headers['x-frame-options']]).toEqual([403, 'DENY'])
    const page = await app.browser().send('GET', '/desk/')
    expect(page.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await app.browser().send('GET', '/desk/api/state')).headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('brute force: wrong codes are limited per network, and use up neither the limit of others nor the local one', async () => {
    const guess = (localAddress: string) =>
      app.browser().send('POST', session, { localAddress, body: { code: unknownCode } })
    const replies = []
    for (let count = 0; count < 22; count += 1) replies.push(await guess('127.0.0.2'))
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429])
    expect(replies.at(-1)?.headers['retry-after']).toMatch(/^\d+$/)
    const code = await signInCode(app, 'rita')
    const late = await app.browser().send('POST', session, { localAddress: '127.0.0.2', body: { code } })
    expect(late.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await guess('127.0.0.3')).status).toBe(401)
    expect((await deskClient(app).send('POST', '/session', { code })).status).toBe(200)
  })

  test('enumeration: before sign-in, it tells nothing about people, folders, version or setup', async () => {
    const state = await app.browser().send('GET', '/desk/api/state')
    expect(state.body).toEqual({
      person: null,
      changes: null,
      version: null,
      passkeys: false,
      providers: [],
      firstRun: null,
    })
    await app.token({ subject: 'gone' })
    const removed = await signInCode(app, 'gone')
    await change(app, 'UPDATE people SET removed_at = created_at WHERE subject = ?', 'gone')
    const used = await signInCode(app, 'rita')
    await app.browser().send('POST', session, { body: { code: used } })
    const codes = [unknownCode, removed, used, await signInCode(app, null)]
    const answers = await Promise.all(
      codes.map((code) => app.browser().send('POST', session, { body: { code }, localAddress: '127.0.0.4' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const paths = [
      '/desk/api/people/1',
      '/desk/api/people/9999',
      '/desk/api/releases/1',
      '/desk/api/own/access',
    ]
    const asked = await Promise.all(paths.map((path) => app.browser().send('GET', path)))
    expect(new Set(asked.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  })

  test('a registry without an administrator cannot be set up from there', async () => {
    const empty = await startRemoteDesk()
    await change(empty, "UPDATE people SET role = 'developer'")
    const state = await empty.browser().send('GET', '/desk/api/state')
    expect(state.body).toMatchObject({ firstRun: null })
    const code = await signInCode(empty, null)
    const body = { code, subject: 'eve', name: 'Eve' }
    const refused = await empty.browser().send('POST', '/desk/api/first-run', { body })
    expect([refused.status, refused.body['code']]).toEqual([404, 'NOT_FOUND'])
    expect((await empty.browser().send('POST', session, { body: { code } })).status).toBe(401)
    await empty.stop()
  })

  test('the agent dashboard, services and metrics never leave the local listener', async () => {
    const browser = await app.signedIn('rita')
    const ask = (path: string, method = 'GET') => browser.send<{ code: string; error: string }>(method, path)
    const { deskAgents, deskOperations, firstRun } = routeTable
    const local = [deskAgents, deskOperations, firstRun].flatMap(({ routes }) => Object.values<Route>(routes))
    expect(local.length).toBeGreaterThan(20)
    for (const { method, path } of local) {
      const { status, body } = await ask(path.replaceAll(/\{\w+\}/g, '1'), method)
      expect([path, status, body.code, body.error]).toEqual([
        path,
        404,
        'NOT_FOUND',
        "This part of the desk is only available on the registry's own computer. Open the desk there.",
      ])
    }
    const dashboard = ['/api/agents', '/api/supervisors', '/api/cost', '/api/audit', '/api/trust', '/metrics']
    const answers = await Promise.all(dashboard.map((path) => ask(path)))
    expect(answers.map(({ status }) => status)).toEqual(dashboard.map(() => 404))
  })

  test('folders, ports and certificates are neither shown nor changed there', async () => {
    const browser = await app.signedIn('rita')
    const settings = (await browser.send<DeskSettings>('GET', '/desk/api/settings')).body
    const keys = settings.items.map(({ key }) => key)
    expect(settings.file).toBeNull()
    expect(keys).toEqual(expect.arrayContaining(['undoMs', 'review.selfApproval', 'backup.every']))
    const hidden = ['host', 'tlsKey', 'trustProxy', 'backup.folder', 'log.file', 'workspace', 'desk.remote']
    expect(keys.filter((key) => hidden.includes(key))).toEqual([])
    const body = { changes: { 'log.file': '/tmp/remote.log', undoMs: 500 } }
    const saved = await browser.send('PUT', '/desk/api/settings', { body })
    expect(saved).toMatchObject({ status: 400, body: { issues: [{ path: 'log.file' }] } })
    const checked = await browser.send('POST', '/desk/api/settings/check', { body })
    expect(checked.body).toEqual({ issues: [expect.objectContaining({ path: 'log.file' })] })
    expect(app.server.settings.config.undoMs).toBe(0)
    const services = (await browser.send<DeskServices>('GET', '/desk/api/services')).body
    expect(services).toMatchObject({ dataFolder: '', workspace: null, backups: { folder: '' } })
    expect(JSON.stringify(services)).not.toContain(app.folder)
  })

  test('a sign-in link from People points to the public address', async () => {
    const local = await signIn(app, 'rita')
    const { url } = (await local.send<{ url: string }>('POST', '/people/1/sign-in-link')).body
    expect(url).toMatch(new RegExp(`^${app.site}/desk/#code=[\\w-]{43}$`))
  })

  test('cannot be read by pages of other origins', async () => {
    const { status, headers } = await app.browser().send('GET', '/desk/api/state')
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('a terminal is confirmed there', async () => {
    const started = await fetch(`${app.registry}/api/skilldock/logins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client: 'skill on a laptop' }),
    })
    const { userCode, deviceCode } = (await started.json()) as StartedLogin
    const browser = await app.signedIn('alice')
    const confirmed = await browser.send('POST', `/desk/api/logins/${userCode}/confirm`)
    expect(confirmed).toMatchObject({ status: 200, body: { state: 'confirmed' } })
    const asked = await fetch(`${app.registry}/api/skilldock/logins/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ deviceCode }),
    })
    expect(await asked.json()).toMatchObject({ state: 'confirmed', person: { subject: 'alice' } })
  })
})

describe('the setting', () => {
  test('is off by default, takes effect at once, and is refused with the reason while something is missing', async () => {
    const app = await startTestRegistry()
    const page = (): Promise<number> =>
      fetch(`${app.registry}/desk/`, { redirect: 'manual' }).then(({ status }) => status)
    expect(await page()).toBe(404)
    const local = await signIn(app, 'rita')
    const save = (changes: Record<string, unknown>) => local.send('PUT', '/settings', { changes })
    expect(await save({ 'desk.remote': 'on' })).toMatchObject({
      status: 400,
      body: {
        issues: [
          { path: 'desk.remote', message: expect.stringContaining('trusted proxies') },
          { path: 'publicUrl', message: expect.stringContaining('https://') },
        ],
      },
    })
    const proxied = { 'desk.remote': 'on', trustProxy: ['127.0.0.1'] }
    for (const publicUrl of ['http://skills.example', 'https://skills.example/registry']) {
      expect(await save({ ...proxied, publicUrl })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'publicUrl' }] },
      })
    }
    expect((await save({ ...proxied, publicUrl: 'https://skills.example' })).status).toBe(200)
    expect(await page()).toBe(403)
    expect((await save({ 'desk.remote': 'off' })).status).toBe(200)
    expect(await page()).toBe(404)
    await app.stop()
  })
})
