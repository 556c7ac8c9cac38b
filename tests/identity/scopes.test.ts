import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { call } from '../support/server/publish.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { nowSeconds, readKey } from '../support/server/tokens.ts'
import { until } from '../support/wait.ts'

let app: TestServer

beforeAll(async () => {
  app = await startTestServer()
  await app.token({ subject: 'root', role: 'administrator' })
})
afterAll(() => app.stop())

/** `through`, or the status and code of the error. */
type Gate = string

const endpoints = {
  mine: ['GET', 'mine'],
  publish: ['POST', 'publish'],
  queue: ['GET', 'review'],
  inspect: ['GET', 'review/nothing/1.0.0/package'],
  decide: ['POST', 'review/999'],
} as const

/** Which endpoints a token can reach; with permission, an empty request is 200, 400 or 404. */
async function gates(token?: string): Promise<Record<keyof typeof endpoints, Gate>> {
  const entries = await Promise.all(
    Object.entries(endpoints).map(async ([name, [method, path]]) => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(`${app.registry}/api/marketplace/${path}`, { method, headers })
      const body = (await response.json()) as { code?: string }
      const stopped = response.status === 401 || response.status === 403
      if (!stopped) expect([200, 400, 404]).toContain(response.status)
      return [name, stopped ? `${response.status} ${body.code}` : 'through']
    }),
  )
  return Object.fromEntries(entries) as never
}

/** The status of an empty upload of a blog image, which is for editors. */
async function blogUpload(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${app.registry}/api/blog/upload-image`, { method: 'POST', headers })).status
}

const everywhere = (gate: Gate): Record<keyof typeof endpoints, Gate> => ({
  mine: gate,
  publish: gate,
  queue: gate,
  inspect: gate,
  decide: gate,
})
const developerGates = {
  ...everywhere('403 FORBIDDEN'),
  mine: 'through',
  publish: 'through',
}

describe('access', () => {
  test('without a token: 401 everywhere', async () => {
    expect(await gates()).toEqual(everywhere('401 TOKEN_MISSING'))
  })

  test('a developer: publishing and their own releases, 403 everywhere else', async () => {
    expect(await gates(await app.token({ subject: 'dora' }))).toEqual(developerGates)
  })

  test('an administrator: everything', async () => {
    expect(await gates(await app.token({ subject: 'root' }))).toEqual(everywhere('through'))
  })

  test('a developer with the scope publish: the same as a developer', async () => {
    expect(await gates(await app.token({ subject: 'dora', scope: 'publish' }))).toEqual(developerGates)
  })

  test('an administrator with the scope publish: only publishing and their own releases', async () => {
    expect(await gates(await app.token({ subject: 'root', scope: 'publish' }))).toEqual({
      ...everywhere('403 SCOPE_INSUFFICIENT'),
      mine: 'through',
      publish: 'through',
    })
  })

  test('the scope admin grants what the role of the person allows, and nothing more', async () => {
    expect(await gates(await app.token({ subject: 'root', scope: 'admin' }))).toEqual(everywhere('through'))
    expect(await gates(await app.token({ subject: 'dora', scope: 'admin' }))).toEqual(developerGates)
    for (const scope of ['admin', null] as const) {
      const change = scope === null ? {} : { scope }
      const reviewer = await app.token({ subject: 'rex', role: 'reviewer', ...change })
      expect(await gates(reviewer)).toEqual(everywhere('through'))
      expect(await blogUpload(reviewer)).toBe(403)
      const editor = await app.token({ subject: 'edda', role: 'editor', ...change })
      expect(await gates(editor)).toEqual(developerGates)
      expect(await blogUpload(editor)).toBe(400)
    }
  })
})

test('a new role applies to existing tokens immediately', async () => {
  const token = await app.token({ subject: 'pia' })
  expect(await gates(token)).toEqual(developerGates)
  await withPeople((people) => people.changeRole('pia', 'administrator'), app.folder)
  expect(await gates(token)).toEqual(everywhere('through'))
  await withPeople((people) => people.changeRole('pia', 'developer'), app.folder)
  expect(await gates(token)).toEqual(developerGates)
})

describe('what is stored about a token', () => {
  const tokensOf = (subject: string) => withPeople((people) => people.listTokens(subject), app.folder)

  test('its label, its scope and its times, but never the token itself', async () => {
    const issued = await withPeople(
      (people) => people.issueToken({ subject: 'kim', life: 3600, label: 'laptop', scope: 'publish' }),
      app.folder,
    )
    const claims = decodeJwt(issued.token)
    expect(claims).toMatchObject({ sub: 'kim', iss: 'skilldock', aud: 'skilldock', jti: issued.jti })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600)
    expect(await tokensOf('kim')).toEqual([
      expect.objectContaining({
        jti: issued.jti,
        label: 'laptop',
        scope: 'publish',
        expiresAt: new Date((claims.exp ?? 0) * 1000).toISOString(),
        lastUsedAt: null,
        revokedAt: null,
      }),
    ])
    expect(JSON.stringify(await tokensOf('kim'))).not.toContain(issued.token.split('.')[2])
  })

  test('30 days of validity by default', async () => {
    const { exp = 0 } = decodeJwt(await app.token({ subject: 'kim' }))
    expect(Math.abs(exp - (nowSeconds() + 30 * 24 * 3600))).toBeLessThanOrEqual(2)
  })

  test('when it was last used', async () => {
    const token = await app.token({ subject: 'lee', label: 'ci' })
    const before = new Date().toISOString()
    await call(`${app.registry}/api/marketplace/mine`, { token })
    const used = await until('the use is recorded', async () => (await tokensOf('lee'))[0]?.lastUsedAt)
    expect(used >= before).toBe(true)
    expect(used <= new Date().toISOString()).toBe(true)
  })

  test('a refused token is not recorded as used', async () => {
    const token = await app.token({ subject: 'moe' })
    await call(`${app.registry}/api/marketplace/mine`, { token: `${token.slice(0, -6)}AAAAAA` })
    // The later use of a valid token is recorded after that of the refused one would have been.
    await call(`${app.registry}/api/marketplace/mine`, { token: await app.token({ subject: 'ned' }) })
    await until('the valid one is recorded', async () => (await tokensOf('ned'))[0]?.lastUsedAt)
    expect((await tokensOf('moe'))[0]?.lastUsedAt).toBeNull()
  })
})

describe('the signing key', () => {
  test.skipIf(process.platform === 'win32')(
    'can be read only by its owner, even after its permissions were widened',
    async () => {
      const path = join(app.folder, 'signing-key.json')
      const mode = async (): Promise<number> => (await stat(path)).mode & 0o777
      expect(await mode()).toBe(0o600)
      for (const wider of [0o644, 0o660, 0o604, 0o777]) {
        await chmod(path, wider)
        await app.token({ subject: 'dora' })
        expect(await mode()).toBe(0o600)
      }
    },
  )

  test('has a public half that is served, verifies tokens and contains nothing private', async () => {
    const key = await readKey(app.folder)
    const served = await call<JSONWebKeySet>(`${app.registry}/api/skilldock/jwks.json`)
    expect(served.status).toBe(200)
    const ed25519 = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }
    expect(served.body).toEqual({
      keys: [
        { ...ed25519, x: key.x, kid: key.kid },
        // For attestations.
        { ...ed25519, x: expect.any(String), kid: expect.stringMatching(/^attest-/) },
      ],
    })
    expect(JSON.stringify(served.body)).not.toContain(key.d)

    const token = await app.token({ subject: 'dora' })
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(served.body), {
      issuer: 'skilldock',
      audience: 'skilldock',
    })
    expect(payload.sub).toBe('dora')
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: key.kid, typ: 'JWT' })
  })
})
