import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import type { DeskState } from '../../src/shared/contracts/desk-session.ts'
import { deskClient } from '../support/desk/desk-client.ts'
import { startRemoteDesk } from '../support/desk/remote-desk.ts'
import type { RemoteBrowser, RemoteDesk } from '../support/desk/remote-desk.ts'
import { skipWithout } from '../support/programs.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { signInAtProvider, startSignInProvider } from '../support/server/sign-in-provider.ts'
import type { SignInProvider } from '../support/server/sign-in-provider.ts'

type Answer = {
  url?: string
  person?: { subject: string; role: string; name: string }
  code?: string
  error?: string
}

describe.skipIf(skipWithout('caddy'))('signing in through an identity provider', () => {
  let app: RemoteDesk
  let provider: SignInProvider
  beforeAll(async () => {
    const port = await findFreePort()
    provider = await startSignInProvider(`https://127.0.0.1:${port}`)
    app = await startRemoteDesk({ config: { issuers: [provider.issuer] } }, '127.0.0.1', port)
  })
  afterAll(async () => {
    await app?.stop()
    await provider?.stop()
  })

  const start = (browser: RemoteBrowser, name = 'Team login') =>
    browser.send<Answer>('POST', '/desk/api/session/provider/start', { body: { provider: name } })
  const finish = (browser: RemoteBrowser, query: string) =>
    browser.send<Answer>('POST', '/desk/api/session/provider', { body: { query } })
  /** Starts in this browser and signs in at the provider. */
  const goToProvider = async (browser: RemoteBrowser, name: string): Promise<string> =>
    signInAtProvider((await start(browser)).body.url ?? '', name)
  const stateOf = async (browser: RemoteBrowser): Promise<DeskState> =>
    (await browser.send<DeskState>('GET', '/desk/api/state')).body
  const refused = { status: 401, body: { code: 'SIGN_IN_REFUSED' } }

  test('starts a session of the person, with the name and role that the API gives them', async () => {
    const browser = app.browser()
    expect(await stateOf(browser)).toMatchObject({ person: null, providers: ['Team login'] })
    const query = await goToProvider(browser, 'boss')
    const person = { subject: 'boss', name: 'boss of the provider', role: 'administrator' }
    expect(await finish(browser, query)).toMatchObject({ status: 200, body: { person, sessionKey: null } })
    expect((await stateOf(browser)).person).toMatchObject(person)
    const developer = app.browser()
    expect(await finish(developer, await goToProvider(developer, 'nora'))).toMatchObject({
      body: { person: { subject: 'nora', role: 'developer' } },
    })
  })

  test('sends the provider a state, a nonce, a code challenge and the return address', async () => {
    const { url = '' } = (await start(app.browser())).body
    const sent = Object.fromEntries(new URL(url).searchParams)
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: 'desk',
      scope: 'openid profile email',
      redirect_uri: `${app.site}/desk/signed-in`,
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(sent[name]).toMatch(/^[\w-]{43}$/)
  })

  test('keeps what must match in a cookie that scripts and other hosts cannot read', async () => {
    const { headers } = await start(app.browser())
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-skilldock-sign-in=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=600$/,
      ),
    ])
  })

  test('is refused in a browser that did not start it', async () => {
    const query = await goToProvider(app.browser(), 'nora')
    expect(await finish(app.browser(), query)).toMatchObject(refused)
    // With an attempt of its own, the state differs: this would sign the browser in as someone else.
    const other = app.browser()
    await start(other)
    expect(await finish(other, query)).toMatchObject(refused)
    expect((await stateOf(other)).person).toBeNull()
  })

  test('works once', async () => {
    const browser = app.browser()
    const query = await goToProvider(browser, 'nora')
    const { cookie } = browser
    expect(await finish(browser, query)).toMatchObject({ status: 200 })
    const again = app.browser()
    again.cookie = cookie
    expect(await finish(again, query)).toMatchObject(refused)
  })

  test('accepts one answer to each attempt, even if that answer was refused', async () => {
    const browser = app.browser()
    const query = await goToProvider(browser, 'nora')
    const { cookie } = browser
    const wrong = new URLSearchParams(query)
    wrong.set('state', 'x'.repeat(43))
    expect(await finish(browser, wrong.toString())).toMatchObject(refused)
    const again = app.browser()
    again.cookie = cookie
    expect(await finish(again, query)).toMatchObject(refused)
  })

  test.each<[string, (query: URLSearchParams) => void]>([
    ['another state', (query) => query.set('state', 'x'.repeat(43))],
    ['no state', (query) => query.delete('state')],
    ['the name of another issuer', (query) => query.set('iss', 'https://evil.example')],
    ['no name of the issuer', (query) => query.delete('iss')],
    ['another code', (query) => query.set('code', 'x'.repeat(43))],
    ['no code', (query) => query.delete('code')],
    ['nothing', (query) => [...query.keys()].forEach((name) => query.delete(name))],
  ])('is refused with %s in the answer', async (_what, change) => {
    const browser = app.browser()
    const query = new URLSearchParams(await goToProvider(browser, 'nora'))
    change(query)
    expect(await finish(browser, query.toString())).toMatchObject(refused)
    expect((await stateOf(browser)).person).toBeNull()
  })

  test.each<[string, (sent: URLSearchParams) => void]>([
    ['another nonce', (sent) => sent.set('nonce', 'x'.repeat(43))],
    ['no nonce', (sent) => sent.delete('nonce')],
    ['another code challenge', (sent) => sent.set('code_challenge', 'x'.repeat(43))],
  ])('is refused if the provider was sent %s', async (_what, change) => {
    const browser = app.browser()
    const url = new URL((await start(browser)).body.url ?? '')
    change(url.searchParams)
    expect(await finish(browser, await signInAtProvider(url.href, 'nora'))).toMatchObject(refused)
    expect((await stateOf(browser)).person).toBeNull()
  })

  test('is refused if its cookie was changed', async () => {
    const browser = app.browser()
    const query = await goToProvider(browser, 'nora')
    browser.cookie = browser.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect(await finish(browser, query)).toMatchObject(refused)
  })

  test('says that the person has canceled it', async () => {
    const browser = app.browser()
    const { url = '' } = (await start(browser)).body
    const state = new URL(url).searchParams.get('state')
    const query = new URLSearchParams({
      error: 'access_denied',
      state: state ?? '',
      iss: provider.issuer.issuer,
    })
    const reply = await finish(browser, query.toString())
    expect(reply).toMatchObject(refused)
    expect(reply.body.error).toBe('The sign-in was canceled at Team login. To try again, start at the desk.')
  })

  test('is refused if the ID token is signed in a way that the settings do not allow', async () => {
    const port = await findFreePort()
    const other = await startSignInProvider(`https://127.0.0.1:${port}`)
    const issuer = { ...other.issuer, algorithms: ['ES256' as const] }
    const own = await startRemoteDesk({ config: { issuers: [issuer] } }, '127.0.0.1', port)
    try {
      const browser = own.browser()
      expect(await finish(browser, await goToProvider(browser, 'nora'))).toMatchObject(refused)
    } finally {
      await own.stop()
      await other.stop()
    }
  })

  test('is refused for a person who was removed from the registry', async () => {
    const browser = app.browser()
    await finish(browser, await goToProvider(browser, 'otto'))
    const id = (await stateOf(browser)).person?.id ?? 0
    await withPeople((people) => people.removePersonById(id), app.folder)
    expect((await stateOf(browser)).person).toBeNull()
    const again = app.browser()
    expect(await finish(again, await goToProvider(again, 'otto'))).toMatchObject({
      status: 401,
      body: { code: 'TOKEN_REVOKED' },
    })
    expect((await stateOf(again)).person).toBeNull()
  })

  test('starts only at providers that the settings have, from the desk itself, and not at the local desk', async () => {
    expect(await start(app.browser(), 'Other login')).toMatchObject({ status: 404 })
    const foreign = await app.browser().send('POST', '/desk/api/session/provider/start', {
      body: { provider: 'Team login' },
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    const local = deskClient(app)
    expect((await local.send('POST', '/session/provider/start', { provider: 'Team login' })).status).toBe(404)
    expect((await local.get<DeskState>('/state')).body.providers).toEqual([])
  })

  test('that the provider cannot be reached is said at both ends', async () => {
    const port = await findFreePort()
    const gone = await startSignInProvider(`https://127.0.0.1:${port}`)
    const own = await startRemoteDesk({ config: { issuers: [gone.issuer] } }, '127.0.0.1', port)
    try {
      const browser = own.browser()
      const query = await goToProvider(browser, 'nora')
      await gone.stop()
      const unavailable = { status: 503, body: { code: 'ISSUER_UNAVAILABLE' } }
      expect(await finish(browser, query)).toMatchObject(unavailable)
    } finally {
      await own.stop()
    }
    const other = await startRemoteDesk({ config: { issuers: [gone.issuer] } })
    try {
      expect(await start(other.browser())).toMatchObject({
        status: 503,
        body: { code: 'ISSUER_UNAVAILABLE' },
      })
    } finally {
      await other.stop()
    }
  })
})
