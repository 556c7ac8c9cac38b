import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { longestTurnBelow } from '../support/cpu-time.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { forge, nowSeconds, rawToken, readKey, unknownId } from '../support/server/tokens.ts'
import { until } from '../support/wait.ts'

let app: TestServer
let good: string
let administrator: string
let otherFolder: string

beforeAll(async () => {
  app = await startTestServer()
  good = await app.token({ subject: 'alice' })
  administrator = await app.token({ subject: 'rita', role: 'administrator' })
  otherFolder = await mkdtemp(join(tmpdir(), 'skilldock-other-'))
})
afterAll(async () => {
  await app.stop()
  await rm(otherFolder, { recursive: true, force: true })
})

interface Refusal {
  status: number
  code: string
  challenge: string | null
}

async function ask(headers: Record<string, string>, path = '/api/marketplace/mine'): Promise<Refusal> {
  const response = await fetch(`${app.registry}${path}`, { headers })
  const body = (await response.json()) as { code?: string; error?: string }
  return {
    status: response.status,
    code: body.code ?? '',
    challenge: response.headers.get('www-authenticate'),
  }
}

const bearing = (token: string): Promise<Refusal> => ask({ authorization: `Bearer ${token}` })

const invalid = { status: 401, code: 'TOKEN_INVALID', challenge: 'Bearer error="invalid_token"' }
const expired = { ...invalid, code: 'TOKEN_EXPIRED' }
const revoked = { ...invalid, code: 'TOKEN_REVOKED' }
const missing = { status: 401, code: 'TOKEN_MISSING', challenge: 'Bearer' }
const accepted = { status: 200, code: '', challenge: null }

test('a token signed again with the real key and the same claims is accepted, so the forgeries below are valid tests', async () => {
  expect(await bearing(good)).toEqual(accepted)
  expect(await bearing(await forge(app.folder, good))).toEqual(accepted)
})

describe('a different algorithm', () => {
  const spellings = ['none', 'None', 'NONE', 'nOnE', 'none ', '', 'null']
  test.each(spellings)('"%s" without a signature, with an empty one and with a valid one', async (alg) => {
    const claims = decodeJwt(administrator)
    const unsigned = rawToken({ alg, typ: 'JWT' }, claims)
    expect(await bearing(unsigned)).toEqual(invalid)
    expect(await bearing(unsigned.slice(0, -1))).toEqual(invalid)
    expect(await bearing(`${unsigned}${good.split('.')[2]}`)).toEqual(invalid)
  })

  test('a header without an algorithm', async () => {
    expect(await bearing(rawToken({ typ: 'JWT' }, decodeJwt(good), good.split('.')[2]))).toEqual(invalid)
  })

  test('HS256 with the public key as the secret: raw, as text, as JWK and as PEM', async () => {
    const { x, kid } = await readKey(app.folder)
    const jwk = { kty: 'OKP', crv: 'Ed25519', x }
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const served = await (await fetch(`${app.registry}/api/skilldock/jwks.json`)).text()
    const secrets = [
      Buffer.from(x, 'base64url'),
      x,
      JSON.stringify(jwk),
      served,
      pem,
      pem.toString().trim(),
      '',
    ]
    for (const secret of secrets) {
      for (const alg of ['HS256', 'HS512']) {
        const unsigned = rawToken({ alg, kid, typ: 'JWT' }, decodeJwt(administrator)).slice(0, -1)
        const hash = alg === 'HS256' ? 'sha256' : 'sha512'
        const signature = createHmac(hash, secret).update(unsigned).digest('base64url')
        expect(await bearing(`${unsigned}.${signature}`)).toEqual(invalid)
      }
    }
  })

  test.each(['ES256', 'RS256', 'PS256', 'Ed25519'])(
    '%s, correctly signed under the real key id',
    async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      const { kid } = await readKey(app.folder)
      expect(await bearing(await forge(app.folder, good, { key: privateKey, header: { alg, kid } }))).toEqual(
        invalid,
      )
    },
  )

  test('the other name of the right algorithm, signed with the real key', async () => {
    expect(await bearing(await forge(app.folder, good, { header: { alg: 'Ed25519' } }))).toEqual(invalid)
  })

  test('RS256 in the header, with a signature of the real key', async () => {
    const [, payload, signature] = good.split('.')
    const { kid } = await readKey(app.folder)
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid, typ: 'JWT' })).toString('base64url')
    expect(await bearing(`${header}.${payload}.${signature}`)).toEqual(invalid)
  })
})

describe('a different key', () => {
  const foreignKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })

  test('another Ed25519 key under the same key id', async () => {
    expect(await bearing(await forge(app.folder, administrator, { key: foreignKey() }))).toEqual(invalid)
  })

  test("another data folder's token for a person of the same name", async () => {
    const issued = await withPeople((people) => people.issueToken({ subject: 'alice' }), otherFolder)
    expect(await bearing(issued.token)).toEqual(invalid)
  })

  test('a key that the token contains or points to', async () => {
    let fetched = 0
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
    const { kid } = await readKey(app.folder)
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' }
    const keyServer = createServer((_req, res) => {
      fetched += 1
      res.end(JSON.stringify({ keys: [jwk] }))
    })
    await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`
    try {
      for (const header of [
        { jwk },
        { jku: url },
        { x5u: url },
        { x5c: ['AAAA'] },
        { jwk, jku: url, x5u: url },
      ]) {
        expect(await bearing(await forge(app.folder, administrator, { key: privateKey, header }))).toEqual(
          invalid,
        )
      }
      expect(fetched).toBe(0)
      // With the real signature they are ignored too: no error, and nothing is fetched.
      expect(await bearing(await forge(app.folder, good, { header: { jwk, jku: url } }))).toEqual(accepted)
      expect(fetched).toBe(0)
    } finally {
      await new Promise((resolve) => keyServer.close(resolve))
    }
  })
})

describe('claims with a valid signature', () => {
  const cases: [string, Record<string, unknown>, Refusal][] = [
    ['expired an hour ago', { exp: nowSeconds() - 3600 }, expired],
    ['without an expiry', { exp: undefined }, invalid],
    ['with an expiry that is a string', { exp: '9999999999' }, invalid],
    ['not valid before an hour from now', { nbf: nowSeconds() + 3600 }, invalid],
    ['with an nbf that is a string', { nbf: 'now' }, invalid],
    ['of another issuer', { iss: 'https://issuer.example' }, invalid],
    ['of an issuer in another spelling', { iss: 'Skilldock' }, invalid],
    ['without an issuer', { iss: undefined }, invalid],
    ['for another audience', { aud: 'somewhere-else' }, invalid],
    ['for a list of other audiences', { aud: ['a', 'b'] }, invalid],
    ['without an audience', { aud: undefined }, invalid],
    ['without a subject', { sub: undefined }, invalid],
    ['with an empty subject', { sub: '' }, invalid],
    ['with a subject that is a number', { sub: 1 }, invalid],
    ["with another person's subject", { sub: 'rita' }, invalid],
    ['with the subject in capitals', { sub: 'ALICE' }, invalid],
    ['without an id', { jti: undefined }, invalid],
    ['with an id that is not a string', { jti: ['x'] }, invalid],
    ['with an id that was never issued', { jti: unknownId() }, invalid],
    ['with an id that is SQL', { jti: "' OR 1=1 --" }, invalid],
    ['without a time of issue', { iat: undefined }, invalid],
  ]
  test.each(cases)('%s', async (_name, claims, refusal) => {
    expect(await bearing(await forge(app.folder, good, { claims }))).toEqual(refusal)
  })

  test('a role in the token has no effect', async () => {
    const token = await forge(app.folder, good, {
      claims: { role: 'administrator', admin: true, scope: 'admin', roles: ['admin'] },
    })
    const response = await fetch(`${app.registry}/api/marketplace/review`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(403)
  })
})

describe('headers with a valid signature', () => {
  test.each([[['exp']], [['urn:example:unknown']], [['kid']]])('an unknown critical %s', async (crit) => {
    const header = { crit, 'urn:example:unknown': 1, exp: 1 }
    expect(await bearing(await forge(app.folder, good, { header }))).toEqual(invalid)
  })

  test.each([[{ crit: [] }], [{ crit: 'x' }], [{ crit: ['b64'], b64: false }]])('%j', async (header) => {
    const { kid } = await readKey(app.folder)
    const [, payload, signature] = good.split('.')
    const encoded = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid, ...header })).toString('base64url')
    expect(await bearing(`${encoded}.${payload}.${signature}`)).toEqual(invalid)
  })
})

describe('a changed token', () => {
  test('every single claim changed after signing', async () => {
    const [header, , signature] = good.split('.')
    const claims = decodeJwt(good)
    for (const change of [
      { sub: 'rita' },
      { exp: nowSeconds() + 1e9 },
      { jti: decodeJwt(administrator).jti },
      {},
    ]) {
      const payload = Buffer.from(JSON.stringify({ ...claims, ...change, x: 1 })).toString('base64url')
      expect(await bearing(`${header}.${payload}.${signature}`)).toEqual(invalid)
    }
  })

  test('parts of two valid tokens combined', async () => {
    const [header, payload] = administrator.split('.')
    expect(await bearing(`${header}.${payload}.${good.split('.')[2]}`)).toEqual(invalid)
  })

  test('truncated, doubled, with more or fewer parts', async () => {
    const [header, payload, signature = ''] = good.split('.')
    const forms = [
      good.slice(0, -4),
      `${good}AAAA`,
      `${good}.${signature}`,
      `${good}.`,
      `.${payload}.${signature}`,
      `${header}..${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${'A'.repeat(signature.length)}`,
      '..',
      'x',
      `${header}.${payload}.${signature},${good}`,
      JSON.stringify({ protected: header, payload, signature }),
    ]
    for (const form of forms) expect(await bearing(form)).toEqual(invalid)
  })
})

describe('size', () => {
  test.each(['A'.repeat(40_960), `${'A'.repeat(20_000)}.${'A'.repeat(20_000)}.AAAA`, '.'.repeat(40_960)])(
    '40 KB of garbage (%#) is refused like any invalid token, without blocking the server',
    async (garbage) => {
      const longest = await longestTurnBelow(50, async () => expect(await bearing(garbage)).toEqual(invalid))
      expect(longest).toBeLessThan(50)
    },
  )

  test('40 KB of garbage instead of a token', async () => {
    expect(await ask({ authorization: `Bearer ${'a '.repeat(20_000)}` })).toEqual(missing)
    expect(await ask({ authorization: 'x'.repeat(40_960) })).toEqual(missing)
  })

  test('a valid signature over 40 KB of claims', async () => {
    const token = await forge(app.folder, good, { claims: { filler: 'x'.repeat(30_000) } })
    expect(token.length).toBeGreaterThan(40_000)
    expect(await bearing(token)).toEqual(invalid)
  })
})

describe('revocation', () => {
  test('a revoked token is refused on the very next request; other tokens stay valid', async () => {
    const first = await app.token({ subject: 'tom' })
    const second = await app.token({ subject: 'tom' })
    expect(await bearing(first)).toEqual(accepted)
    await withPeople((people) => people.revokeToken(decodeJwt(first).jti ?? ''), app.folder)
    expect(await bearing(first)).toEqual(revoked)
    expect(await bearing(second)).toEqual(accepted)
    // Signing it again with the same id does not restore it.
    expect(await bearing(await forge(app.folder, first, { claims: { iat: nowSeconds() } }))).toEqual(revoked)
  })

  test("a removed person's tokens are revoked and stay revoked if the person is added again", async () => {
    const token = await app.token({ subject: 'uma' })
    expect(await bearing(token)).toEqual(accepted)
    await withPeople((people) => people.removePerson('uma'), app.folder)
    expect(await bearing(token)).toEqual(revoked)
    await withPeople((people) => people.addPerson({ subject: 'uma' }), app.folder)
    expect(await bearing(token)).toEqual(revoked)
    expect(await bearing(await app.token({ subject: 'uma' }))).toEqual(accepted)
  })
})

describe('the location of a token', () => {
  test('no header, an empty one, another scheme, a bare token', async () => {
    expect(await ask({})).toEqual(missing)
    for (const value of ['', 'Bearer', 'Bearer ', 'Bearer    ', `Basic ${good}`, `Token ${good}`, good]) {
      expect(await ask({ authorization: value })).toEqual(missing)
    }
    expect(await ask({ authorization: `Bearer${good}` })).toEqual(missing)
    expect(await ask({ authorization: `Bearer ${good} ${good}` })).toEqual(missing)
    expect(await ask({ authorization: `Bearer ${good}, Bearer ${good}` })).toEqual(missing)
  })

  test('the query', async () => {
    for (const name of ['access_token', 'token', 'authorization', 'bearer', 'jwt']) {
      expect(await ask({}, `/api/marketplace/mine?${name}=${good}`)).toEqual(missing)
      expect(await ask({}, `/api/marketplace/mine?${name}=Bearer%20${good}`)).toEqual(missing)
    }
  })

  test('a cookie or another header', async () => {
    for (const name of ['token', 'access_token', 'session', '__session', 'Authorization', 'skilldock']) {
      expect(await ask({ cookie: `${name}=${good}` })).toEqual(missing)
    }
    const names = [
      'x-authorization',
      'proxy-authorization',
      'x-access-token',
      'x-forwarded-authorization',
      'x-token',
    ]
    for (const name of names) expect(await ask({ [name]: `Bearer ${good}` })).toEqual(missing)
  })

  test('the body, as a form and as JSON', async () => {
    const bodies: [string, string][] = [
      ['application/x-www-form-urlencoded', `access_token=${administrator}&action=approved`],
      ['application/json', JSON.stringify({ access_token: administrator, token: administrator })],
    ]
    for (const [type, body] of bodies) {
      const response = await fetch(`${app.registry}/api/marketplace/review/1`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ code: 'TOKEN_MISSING' })
    }
  })

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme spelled %s', async (scheme) => {
    expect(await ask({ authorization: `${scheme} ${good}` })).toEqual(accepted)
    expect(await ask({ authorization: `${scheme}   ${good}` })).toEqual(accepted)
  })

  test('a public endpoint ignores it', async () => {
    expect(await ask({ authorization: 'Bearer garbage' }, '/api/marketplace/skills')).toEqual(accepted)
  })
})

describe('expiry without clock skew', () => {
  test('a token expires exactly at its exp', async () => {
    const end = nowSeconds() + 2
    const token = await forge(app.folder, good, { claims: { exp: end } })
    const atFirst = await bearing(token)
    const firstAnswered = Date.now()
    if (firstAnswered < end * 1000) expect(atFirst).toEqual(accepted)
    const refusal = await until('the token expires', async () => {
      const asked = Date.now()
      const answer = await bearing(token)
      if (answer.status === 200) expect(asked).toBeLessThan(end * 1000)
      else expect(Date.now()).toBeGreaterThanOrEqual(end * 1000)
      return answer.status === 200 ? null : answer
    })
    expect(refusal).toEqual(expired)
  })

  test('a token becomes valid exactly at its nbf', async () => {
    const start = nowSeconds() + 2
    const token = await forge(app.folder, good, { claims: { nbf: start } })
    expect(await bearing(token)).toEqual(invalid)
    await until('the token becomes valid', async () => {
      const answer = await bearing(token)
      if (answer.status === 200) expect(Date.now()).toBeGreaterThanOrEqual(start * 1000)
      return answer.status === 200
    })
  })
})

test('every protected endpoint refuses in the same way', async () => {
  const foreign = await forge(app.folder, administrator, {
    key: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  })
  const endpoints: [string, string][] = [
    ['GET', 'mine'],
    ['GET', 'review'],
    ['GET', 'review/a/1.0.0/package'],
    ['POST', 'publish'],
    ['POST', 'review/1'],
  ]
  for (const [method, path] of endpoints) {
    const url = `${app.registry}/api/marketplace/${path}`
    for (const [headers, expected] of [
      [{}, missing],
      [{ authorization: `Bearer ${foreign}` }, invalid],
      [{ authorization: `Bearer ${rawToken({ alg: 'none' }, decodeJwt(administrator))}` }, invalid],
    ] as const) {
      const response = await fetch(url, { method, headers })
      const body = (await response.json()) as { code: string }
      const challenge = response.headers.get('www-authenticate')
      expect({ status: response.status, code: body.code, challenge }).toEqual(expected)
    }
  }
})

test('no token, valid or not, is logged', () => {
  const lines = app.logs.join('')
  expect(lines).toContain('TOKEN_INVALID')
  for (const token of [good, administrator]) {
    expect(lines).not.toContain(token)
    expect(lines).not.toContain(token.split('.')[2])
  }
  expect(lines).not.toMatch(/eyJ[\w-]{10}/)
})
