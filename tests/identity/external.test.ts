import { generateKeyPair } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { identityRepository } from '../../src/server/domains/identity/identity.repository.ts'
import type { ExternalIssuer } from '../../src/shared/contracts/issuers.ts'
import { startOidcIssuer } from '../support/server/oidc-issuer.ts'
import type { OidcIssuer } from '../support/server/oidc-issuer.ts'
import { call, manifest, publish, review } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

// The clock is frozen, so that 59 and 61 seconds are exact; `pass` moves it.
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)
const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const opened: { stop(): Promise<void> }[] = []

/** Servers to stop after the test. */
async function registryFor(...issuers: ExternalIssuer[]): Promise<TestRegistry> {
  const registry = await startTestRegistry({ config: { issuers } })
  opened.push(registry)
  return registry
}

async function newIssuer(name?: string): Promise<OidcIssuer> {
  const issuer = await startOidcIssuer(name)
  opened.push(issuer)
  return issuer
}

async function stopOpened(): Promise<void> {
  await Promise.all(opened.splice(0).map((one) => one.stop()))
}

/** The status of a request that is open to every person. */
const mine = async (app: TestRegistry, token: string): Promise<number> =>
  (await call(`${app.api}/mine`, { token })).status
const mineRefusal = async (app: TestRegistry, token: string) => {
  const { status, code } = await refusal(`${app.api}/mine`, { token })
  return { status, code }
}
/** The status of a request that only administrators can make. */
const asAdministrator = async (app: TestRegistry, token: string): Promise<number> =>
  (await call(`${app.api}/review`, { token })).status

describe('a token of an external issuer', () => {
  let app: TestRegistry
  let issuer: OidcIssuer
  let other: OidcIssuer
  const shared: { stop(): Promise<void> }[] = []

  beforeAll(async () => {
    issuer = await startOidcIssuer('First')
    other = await startOidcIssuer('Second')
    app = await startTestRegistry({
      config: {
        issuers: [
          issuer.settings({ algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'] }),
          other.settings({ audience: ['another', other.audience], algorithms: ['ES256'] }),
        ],
      },
    })
    shared.push(app, issuer, other)
  })
  afterAll(async () => {
    await Promise.all(shared.map((one) => one.stop()))
  })

  test.each(['RS256', 'ES256', 'EdDSA'])('signed with %s is accepted', async (alg) => {
    expect(await mine(app, await issuer.sign({}, { alg }))).toBe(200)
  })

  test('is accepted if one of several audiences matches, in the token or the settings', async () => {
    const options = { alg: 'ES256' }
    expect(await mine(app, await other.sign({ aud: 'another' }, options))).toBe(200)
    expect(await mine(app, await other.sign({ aud: ['x', other.audience] }, options))).toBe(200)
    expect(await mine(app, await other.sign({ aud: ['x', 'y'] }, options))).toBe(401)
  })

  test.each<[string, () => Record<string, unknown>, string]>([
    ['another audience', () => ({ aud: 'someone-else' }), 'TOKEN_INVALID'],
    ['no audience', () => ({ aud: undefined }), 'TOKEN_INVALID'],
    ['no issuer', () => ({ iss: undefined }), 'TOKEN_INVALID'],
    ['an issuer that is not configured', () => ({ iss: 'https://unknown.example' }), 'TOKEN_INVALID'],
    ['its issuer with an additional slash', () => ({ iss: `${issuer.url}/` }), 'TOKEN_INVALID'],
    ['the built-in issuer', () => ({ iss: 'skilldock', aud: 'skilldock', jti: 'x' }), 'TOKEN_INVALID'],
    ['an issuer named like a property of every object', () => ({ iss: '__proto__' }), 'TOKEN_INVALID'],
    ['no subject', () => ({ sub: undefined }), 'TOKEN_INVALID'],
    ['an empty subject', () => ({ sub: '' }), 'TOKEN_INVALID'],
    ['a subject that is not a string', () => ({ sub: 7 }), 'TOKEN_INVALID'],
    ['a subject of 256 characters', () => ({ sub: 'a'.repeat(256) }), 'TOKEN_INVALID'],
    ['a subject with a line break', () => ({ sub: 'a\nb' }), 'TOKEN_INVALID'],
    ['no expiry', () => ({ exp: undefined }), 'TOKEN_INVALID'],
    ['an expiry that is not a number', () => ({ exp: '2999-01-01' }), 'TOKEN_INVALID'],
    ['an expiry 61 s ago', () => ({ exp: nowSeconds() - 61 }), 'TOKEN_EXPIRED'],
    ['an nbf in 61 s', () => ({ nbf: nowSeconds() + 61 }), 'TOKEN_INVALID'],
  ])('with %s is 401', async (_, claims, code) => {
    expect(await mineRefusal(app, await issuer.sign(claims()))).toEqual({ status: 401, code })
  })

  test('tolerates clocks that are 59 s apart', async () => {
    expect(await mine(app, await issuer.sign({ exp: nowSeconds() - 59 }))).toBe(200)
    expect(await mine(app, await issuer.sign({ nbf: nowSeconds() + 59 }))).toBe(200)
    const ended = await app.token({ subject: 'alice', life: 1 })
    pass(2)
    expect(await mineRefusal(app, ended), 'built-in tokens have no clock tolerance').toEqual({
      status: 401,
      code: 'TOKEN_EXPIRED',
    })
  })

  test('is 401 if signed with the public key as a shared secret', async () => {
    const { pem, kid, jwk } = issuer.keys.RS256
    const modulus = Buffer.from(String(jwk.n), 'base64url')
    for (const key of [new TextEncoder().encode(pem), new TextEncoder().encode(pem.trim()), modulus]) {
      const token = await issuer.sign({}, { alg: 'HS256', kid, key: Uint8Array.from(key) })
      expect(await mine(app, token)).toBe(401)
    }
  })

  test('is 401 without a signature', async () => {
    const [, payload = ''] = (await issuer.sign()).split('.')
    for (const alg of ['none', 'NONE', 'None', '']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: issuer.keys.RS256.kid })).toString('base64url')
      expect(await mine(app, `${header}.${payload}.`)).toBe(401)
    }
  })

  test('is 401 with an algorithm that is not allowed for the issuer', async () => {
    expect(await mine(app, await other.sign({}, { alg: 'RS256' }))).toBe(401)
    expect(await mine(app, await other.sign({}, { alg: 'EdDSA' }))).toBe(401)
    expect(await mine(app, await other.sign({}, { alg: 'ES256' }))).toBe(200)
  })

  test('is 401 with an allowed algorithm that is not that of its key', async () => {
    const { privateKey, kid } = issuer.keys.RS256
    const pkcs8 = await crypto.subtle.exportKey('pkcs8', privateKey)
    const forPss = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-PSS', hash: 'SHA-256' }, true, [
      'sign',
    ])
    expect(await mine(app, await issuer.sign({}, { alg: 'PS256', kid, key: forPss }))).toBe(401)
  })

  test('is 401 with a different key under the key id of the issuer', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    expect(await mine(app, await issuer.sign({}, { key: privateKey }))).toBe(401)
  })

  test('is 401 if one configured issuer signs in the name of another', async () => {
    const claims = { iss: issuer.url, aud: issuer.audience }
    expect(await mine(app, await other.sign(claims, { alg: 'ES256' }))).toBe(401)
    const { kid } = issuer.keys.ES256
    expect(await mine(app, await other.sign(claims, { alg: 'ES256', kid }))).toBe(401)
  })

  test('is 401 if it is not an access or ID token', async () => {
    expect(await mine(app, await issuer.sign({}, { typ: 'logout+jwt' }))).toBe(401)
    expect(await mine(app, await issuer.sign({}, { typ: 'JWT' }))).toBe(200)
    expect(await mine(app, await issuer.sign({}, { typ: 'at+jwt' }))).toBe(200)
  })

  test('is 401 if its payload has been changed', async () => {
    const [header, , signature] = (await issuer.sign()).split('.')
    const [, payload] = (await issuer.sign({ sub: 'rita' })).split('.')
    expect(await mine(app, `${header}.${payload}.${signature}`)).toBe(401)
  })

  test('with the same subject is a different owner for every issuer, and not the built-in person', async () => {
    const tokens = [
      app.developer,
      await issuer.sign({ sub: 'alice' }),
      await other.sign({ sub: 'alice' }, { alg: 'ES256' }),
    ]
    const owners = new Set<number>()
    for (const [index, token] of tokens.entries()) {
      await app.submit({ name: `owner-${index}` }, token)
      const { body } = await call<List>(`${app.api}/mine`, { token })
      for (const { ownerId } of body.items) owners.add(ownerId)
      expect(body.items.map(({ name }) => name)).toEqual([`owner-${index}`])
    }
    expect(owners.size).toBe(3)
    const next = manifest({ name: 'owner-0', version: '2.0.0' })
    expect(await publish(app.registry, tokens[1] ?? '', next, app.wasm)).toMatchObject({
      status: 403,
      body: { code: 'NAME_TAKEN' },
    })
  })

  test('creates its person once, even from simultaneous requests', async () => {
    const token = await issuer.sign({ sub: 'all-at-once' })
    const statuses = await Promise.all(Array.from({ length: 20 }, () => mine(app, token)))
    expect(statuses).toEqual(statuses.map(() => 200))
    expect(people(app).filter(({ subject }) => subject === 'all-at-once')).toHaveLength(1)
  })

  test('does not affect built-in tokens', async () => {
    expect(await mine(app, app.developer)).toBe(200)
    expect(await asAdministrator(app, app.developer)).toBe(403)
    expect(await asAdministrator(app, app.administrator)).toBe(200)
  })
})

const people = (app: TestRegistry) => {
  const database = openDatabase(dataPaths(app.folder).database)
  try {
    return identityRepository(database.reader).listPeople()
  } finally {
    database.close()
  }
}

describe('an administrator', () => {
  afterEach(stopOpened)

  const roles = async (administrators: unknown, claims: Record<string, unknown>[]): Promise<number[]> => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings({ administrators }))
    const statuses: number[] = []
    for (const claim of claims) {
      statuses.push(await asAdministrator(app, await issuer.sign(claim)))
    }
    return statuses
  }

  test('is a listed subject', async () => {
    const claims = [{ sub: 'rita' }, { sub: 'Rita' }, { sub: 'alice' }]
    expect(await roles({ subjects: ['rita'] }, claims)).toEqual([200, 403, 403])
  })

  test('is a listed email address that the issuer has verified', async () => {
    const email = 'Rita@Example.com'
    const statuses = await roles({ emails: ['rita@example.com', 'kim@example.com'] }, [
      { email, email_verified: true },
      { email },
      { email, email_verified: false },
      { email, email_verified: 'true' },
      { email: 'alice@example.com', email_verified: true },
      { email: ['rita@example.com'], email_verified: true },
      { email: '\u212Aim@example.com', email_verified: true },
    ])
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403, 403])
  })

  test('has the configured value at the path of the claim', async () => {
    const claim = { path: 'public_metadata.role', value: 'admin' }
    const statuses = await roles({ claim }, [
      { public_metadata: { role: 'admin' } },
      { public_metadata: { role: 'admins' } },
      { public_metadata: 'admin' },
      { 'public_metadata.role': 'admin' },
      { public_metadata: null },
      {},
    ])
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403])
  })

  test('has the configured value in the list at the path', async () => {
    const claim = { path: ['https://example.com/roles'], value: 'admin' }
    const statuses = await roles({ claim }, [
      { 'https://example.com/roles': ['writer', 'admin'] },
      { 'https://example.com/roles': 'admin' },
      { 'https://example.com/roles': ['writer'] },
      { 'https://example.com/roles': { admin: true } },
    ])
    expect(statuses).toEqual([200, 200, 403, 403])
  })

  test('can be marked by true', async () => {
    const claim = { path: 'is_admin', value: true }
    expect(await roles({ claim }, [{ is_admin: true }, { is_admin: 'true' }, { is_admin: 1 }])).toEqual([
      200, 403, 403,
    ])
  })

  test('does not exist without configuration', async () => {
    const claims = [{ role: 'administrator', email: 'rita@example.com', email_verified: true }]
    expect(await roles(undefined, claims)).toEqual([403])
  })

  test('or a reviewer or editor is one that the settings list; the highest role counts', async () => {
    const holders = (...subjects: string[]) => ({ subjects, emails: [] })
    const { reviewers, editors } = { reviewers: holders('rita', 'root'), editors: holders('rita', 'ed') }
    const issuer = await newIssuer()
    const app = await registryFor(
      issuer.settings({ administrators: { subjects: ['root'] }, reviewers, editors }),
    )
    const given: unknown[] = []
    for (const sub of ['root', 'rita', 'ed', 'alice']) {
      const token = await issuer.sign({ sub })
      const reply = await call<{ person: { role: string } }>(`${app.registry}/api/skilldock/token`, { token })
      given.push(reply.body.person.role)
    }
    expect(given).toEqual(['administrator', 'reviewer', 'editor', 'developer'])
  })

  test('loses the role with the next token that does not grant it', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(
      issuer.settings({ administrators: { claim: { path: 'role', value: 'admin' } } }),
    )
    const id = await app.submit({ name: 'to-review' })
    const decide = async (claims: object): Promise<number> =>
      (await review(app.registry, await issuer.sign({ ...claims }), id, 'approved')).status
    const stored = { issuer: issuer.url, name: 'Rita' }
    expect(await asAdministrator(app, await issuer.sign({ role: 'admin', name: 'Rita' }))).toBe(200)
    expect(people(app)).toContainEqual(expect.objectContaining({ ...stored, role: 'administrator' }))
    expect(await decide({ role: 'writer' })).toBe(403)
    expect(people(app)).toContainEqual(expect.objectContaining({ ...stored, role: 'developer' }))
    expect(await decide({ role: 'admin' })).toBe(200)
  })
})

describe('a person of an external issuer', () => {
  afterEach(stopOpened)

  test('publishes under the name in the token, and a new name applies to all their releases', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings())
    const sign = async (name?: unknown): Promise<string> => {
      pass(1)
      return issuer.sign({ name })
    }
    const old = await sign('  Alice A.  ')
    const id = await app.submit({}, old)
    await app.decide(id, 'approved')
    const publisher = async (): Promise<unknown> =>
      (await call<{ publisher: string }>(`${app.api}/skills/upper-case`)).body.publisher
    const after = async (token: string): Promise<unknown> => {
      expect(await mine(app, token)).toBe(200)
      return publisher()
    }
    expect(await publisher()).toBe('Alice A.')
    expect(await after(await sign('Alice B.'))).toBe('Alice B.')
    const found = await call<List>(`${app.api}/skills?q=alice%20b`)
    expect(found.body.items).toHaveLength(1)
    expect(await after(old), 'an older token does not restore the older name').toBe('Alice B.')
    expect(await after(await sign()), 'a token without a name does not change it').toBe('Alice B.')
    expect(await after(await sign('x'.repeat(101)))).toBe('Alice B.')
    expect(await after(await sign('a\u0000b'))).toBe('Alice B.')
    expect(await after(await sign({ first: 'A' }))).toBe('Alice B.')
  })

  test('has no name if the token has no printable one; another claim can be configured', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings({ nameClaim: 'profile.nick' }))
    await app.submit({ name: 'unnamed' }, await issuer.sign({ sub: 'a', name: 'Not this', profile: {} }))
    await app.submit({ name: 'named' }, await issuer.sign({ sub: 'b', profile: { nick: 'Bo' } }))
    const { body } = await call<List>(`${app.api}/review`, { token: app.administrator })
    expect(body.items.map(({ publisher }) => publisher)).toEqual([
      'Bo',
      expect.stringMatching(/^Developer \d+$/),
    ])
  })

  test('is stored only if something has changed', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings())
    const token = await issuer.sign({ name: 'Alice' })
    expect(await mine(app, token)).toBe(200)
    const database = openDatabase(dataPaths(app.folder).database)
    try {
      const before = database.reader.pragma('data_version', { simple: true })
      for (let round = 0; round < 5; round += 1) {
        expect(await mine(app, token)).toBe(200)
      }
      expect(database.reader.pragma('data_version', { simple: true })).toBe(before)
    } finally {
      database.close()
    }
  })

  test('who has been removed is 401 with a valid token, and stays removed', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings({ administrators: { subjects: ['alice'] } }))
    const token = await issuer.sign()
    expect(await asAdministrator(app, token)).toBe(200)
    const database = openDatabase(dataPaths(app.folder).database)
    try {
      const rows = identityRepository(database.writer)
      await database.transact(() => {
        const row = rows.findPerson(issuer.url, 'alice')
        if (row !== null) rows.updatePerson({ ...row, removedAt: new Date().toISOString() })
      })
    } finally {
      database.close()
    }
    const revoked = { status: 401, code: 'TOKEN_REVOKED' }
    expect(await mineRefusal(app, token)).toEqual(revoked)
    expect(await mineRefusal(app, await issuer.sign({ name: 'Another name' }))).toEqual(revoked)
  })
})

describe('the keys of an issuer', () => {
  afterEach(stopOpened)

  test('are refreshed when they rotate, and the old ones are no longer accepted', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings())
    const old = await issuer.sign()
    expect(await mine(app, old)).toBe(200)
    await issuer.rotate()
    pass(31)
    expect(await mine(app, await issuer.sign())).toBe(200)
    expect(await mine(app, old)).toBe(401)
    expect(issuer.fetches).toBe(2)
  })

  test('are fetched once for many requests, and again after ten minutes', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings())
    const all = async (): Promise<void> => {
      const tokens = await Promise.all(Array.from({ length: 30 }, (_, n) => issuer.sign({ sub: `s${n}` })))
      expect(new Set(await Promise.all(tokens.map((token) => mine(app, token))))).toEqual(new Set([200]))
    }
    await all()
    pass(590)
    await all()
    expect(issuer.fetches).toBe(1)
    pass(20)
    await all()
    expect(issuer.fetches).toBe(2)
  })

  test('are fetched again after the clock was set back by a year', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings())
    expect(await mine(app, await issuer.sign())).toBe(200)
    pass(-365 * 86_400)
    await issuer.rotate()
    expect(await mine(app, await issuer.sign())).toBe(200)
    expect(issuer.fetches).toBe(2)
  })

  test('are fetched at most once in 30 s, however many unknown keys are used', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings())
    expect(await mine(app, await issuer.sign())).toBe(200)
    const flood = async (): Promise<Set<number>> => {
      const statuses: number[] = []
      for (let round = 0; round < 5; round += 1) {
        const tokens = await Promise.all(
          Array.from({ length: 20 }, (_, n) => issuer.sign({}, { kid: `unknown-${round}-${n}` })),
        )
        statuses.push(...(await Promise.all(tokens.map((token) => mine(app, token)))))
      }
      return new Set(statuses)
    }
    expect(await flood()).toEqual(new Set([401]))
    expect(issuer.fetches).toBe(1)
    pass(31)
    expect(await flood()).toEqual(new Set([401]))
    expect(issuer.fetches).toBe(2)
    issuer.behavior = 'error'
    pass(31)
    expect(await flood()).toEqual(new Set([503]))
    expect(issuer.fetches, 'a failed fetch counts too').toBe(3)
    expect(await mine(app, await issuer.sign()), 'tokens with a known key are still accepted').toBe(200)
  })

  test('keep working for a day while the issuer is unavailable, and no longer', async () => {
    const issuer = await newIssuer()
    const app = await registryFor(issuer.settings())
    expect(await mine(app, await issuer.sign())).toBe(200)
    issuer.behavior = 'away'
    pass(3600)
    expect(await mine(app, await issuer.sign())).toBe(200)
    expect(await mine(app, await issuer.sign())).toBe(200)
    expect(issuer.fetches).toBe(2)
    const warnings = app.logs.filter((line) => line.includes('fetching the keys of an issuer failed'))
    expect(warnings, 'one log entry per attempt, with the age of the keys').toHaveLength(1)
    expect(warnings[0]).toContain(`"keysOf":"${new Date(Date.now() - 3_600_000).toISOString()}"`)
    pass(22.9 * 3600)
    expect(await mine(app, await issuer.sign())).toBe(200)
    pass(0.2 * 3600)
    expect(await mineRefusal(app, await issuer.sign())).toEqual({ status: 503, code: 'ISSUER_UNAVAILABLE' })
    issuer.behavior = 'good'
    pass(31)
    expect(await mine(app, await issuer.sign())).toBe(200)
  })

  test.each(['away', 'huge', 'many keys', 'no key set', 'html', 'redirect', 'error'] as const)(
    'that cannot be fetched (%s) cause a 503 with Retry-After',
    async (behavior) => {
      const issuer = await newIssuer('Example ID')
      const app = await registryFor(issuer.settings())
      issuer.behavior = behavior
      const reply = await call<{ code: string; error: string }>(`${app.api}/mine`, {
        token: await issuer.sign(),
      })
      expect(reply).toMatchObject({ status: 503, body: { code: 'ISSUER_UNAVAILABLE' } })
      expect(reply.body.error).toContain('Example ID')
      expect(reply.headers.get('retry-after')).toBe('5')
      expect(reply.headers.get('www-authenticate')).toBeNull()
      expect(await mine(app, await issuer.sign())).toBe(503)
      expect(issuer.fetches, 'there is a pause after a failed fetch').toBe(1)
      expect(await mine(app, app.developer), 'built-in tokens do not need the issuer').toBe(200)
      issuer.behavior = 'good'
      pass(6)
      expect(await mine(app, await issuer.sign())).toBe(200)
    },
  )

  test('that are slow time out after 5 s, and the server serves others in the meantime', async () => {
    const silent = await newIssuer('Silent')
    const dripping = await newIssuer('Dripping')
    const app = await registryFor(silent.settings(), dripping.settings())
    silent.behavior = 'silent'
    dripping.behavior = 'drip'
    const start = performance.now()
    const waiting = Promise.all([
      mineRefusal(app, await silent.sign()),
      mineRefusal(app, await dripping.sign()),
    ])
    let isOver = false
    void waiting.finally(() => (isOver = true))
    for (let round = 0; round < 50; round += 1) {
      expect(await mine(app, app.developer)).toBe(200)
    }
    expect(isOver, 'all of them were served during the wait').toBe(false)
    const unavailable = { status: 503, code: 'ISSUER_UNAVAILABLE' }
    expect(await waiting).toEqual([unavailable, unavailable])
    expect(performance.now() - start).toBeGreaterThan(4500)
  })
})
