import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompactSign, exportJWK, exportSPKI, generateKeyPair } from 'jose'
import type { CryptoKey, JWK } from 'jose'
import { externalIssuerSchema } from '../../../src/shared/contracts/issuers.ts'
import type { ExternalIssuer } from '../../../src/shared/contracts/issuers.ts'

/** How the issuer responds: correctly, or with one of the failures of real providers. */
export type Behavior =
  | 'good'
  | 'away'
  | 'silent'
  | 'drip'
  | 'huge'
  | 'many keys'
  | 'no key set'
  | 'html'
  | 'redirect'
  | 'error'

type Algorithm = 'RS256' | 'ES256' | 'EdDSA'
const algorithms: Algorithm[] = ['RS256', 'ES256', 'EdDSA']

interface IssuerKey {
  kid: string
  privateKey: CryptoKey
  jwk: JWK
  /** The public key as PEM, for tests that use it as a shared secret. */
  pem: string
}

export interface SignOptions {
  alg?: string
  kid?: string
  typ?: string
  /** A signing key other than the issuer's key of this algorithm. */
  key?: CryptoKey | Uint8Array
}

/** A real OpenID Connect issuer with one key each for RS256, ES256 and EdDSA. */
export interface OidcIssuer {
  url: string
  /** The number of requests for the key set. */
  fetches: number
  behavior: Behavior
  /** Replaces fields of the discovery document; `undefined` removes a field. */
  description: Record<string, unknown>
  /** The error of the issuer's clock in milliseconds. */
  clockError: number
  keys: Record<Algorithm, IssuerKey>
  audience: string
  settings(change?: Record<string, unknown>): ExternalIssuer
  /** A token of `alice` that is valid for five minutes; `undefined` removes a claim. */
  sign(claims?: Record<string, unknown>, options?: SignOptions): Promise<string>
  /** Replaces the keys. */
  rotate(): Promise<void>
  stop(): Promise<void>
}

export async function startOidcIssuer(name = 'Local'): Promise<OidcIssuer> {
  const server = createServer((req, res) => {
    const isKeys = req.url === '/keys' || req.url === '/moved'
    if (isKeys) issuer.fetches += 1
    const document = isKeys
      ? { keys: algorithms.map((algorithm) => issuer.keys[algorithm].jwk) }
      : { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...issuer.description }
    res.setHeader('Date', new Date(Date.now() + issuer.clockError).toUTCString())
    // A client that follows the redirect gets a valid response.
    answer(res, req.url === '/moved' ? 'good' : issuer.behavior, document)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const issuer: OidcIssuer = {
    url,
    fetches: 0,
    behavior: 'good',
    description: {},
    clockError: 0,
    keys: await makeKeys(),
    audience: 'skilldock-tests',
    settings: (change = {}) =>
      externalIssuerSchema.parse({
        name,
        issuer: url,
        audience: issuer.audience,
        jwksUrl: `${url}/keys`,
        ...change,
      }),
    sign(claims = {}, { alg = 'RS256', kid, typ, key } = {}) {
      const own = issuer.keys[alg as Algorithm] as IssuerKey | undefined
      const now = Math.floor(Date.now() / 1000)
      const payload = { iss: url, aud: issuer.audience, sub: 'alice', iat: now, exp: now + 300, ...claims }
      return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({
          alg,
          kid: kid ?? own?.kid ?? 'unknown',
          ...(typ === undefined ? {} : { typ }),
        })
        .sign(key ?? own?.privateKey ?? new Uint8Array())
    },
    async rotate() {
      issuer.keys = await makeKeys()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return issuer
}

let made = 0

async function makeKeys(): Promise<Record<Algorithm, IssuerKey>> {
  const entries = await Promise.all(
    algorithms.map(async (algorithm) => {
      const pair = await generateKeyPair(algorithm, { extractable: true })
      made += 1
      const kid = `key-${made}`
      const jwk: JWK = { ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: 'sig' }
      return [algorithm, { kid, privateKey: pair.privateKey, jwk, pem: await exportSPKI(pair.publicKey) }]
    }),
  )
  return Object.fromEntries(entries) as Record<Algorithm, IssuerKey>
}

function answer(res: ServerResponse, behavior: Behavior, document: object): void {
  const json = (value: object): void => {
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify(value))
  }
  switch (behavior) {
    case 'good':
      json(document)
      break
    case 'away':
      res.destroy()
      break
    case 'silent':
      break
    case 'drip': {
      // Sending a space from time to time makes JSON that never ends and never triggers a read timeout.
      res.setHeader('Content-Type', 'application/json')
      const timer = setInterval(() => res.write(' '), 50)
      res.once('close', () => clearInterval(timer))
      break
    }
    case 'huge':
      json({ ...document, padding: 'x'.repeat(300_000) })
      break
    case 'many keys':
      json({ keys: Array.from({ length: 101 }, () => ({ kty: 'oct' })) })
      break
    case 'no key set':
      json({ keys: 'none' })
      break
    case 'html':
      res.setHeader('Content-Type', 'text/html; charset=utf-8')
      res.end('<!doctype html><title>Sign in</title>')
      break
    case 'redirect':
      res.writeHead(302, { Location: '/moved' }).end(JSON.stringify(document))
      break
    case 'error':
      res.writeHead(500).end(JSON.stringify(document))
      break
  }
}
