import type { lookup } from 'node:dns'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOidcIssuer } from '../../../../tests/support/server/oidc-issuer.ts'
import type { OidcIssuer } from '../../../../tests/support/server/oidc-issuer.ts'
import { createLogger } from '../../operations/logging.ts'
import { createPublicFetch, fetchProviderJson } from './provider-fetch.service.ts'
import type { FetchJson } from './provider-fetch.service.ts'
import { createTrustedIssuers } from './trusted-issuers.service.ts'

const address = 'https://issuer.example'
const audience = ['https://skills.example.com']
const lines: string[] = []
const log = createLogger({ write: (line: string) => void lines.push(line) })
let local: OidcIssuer
let sent: string[] = []
/** The public issuer is served by the local one. */
const toLocal: FetchJson = (url, headers) => {
  sent.push(url)
  return fetchProviderJson(url.replace(address, local.url), headers)
}
beforeAll(async () => {
  local = await startOidcIssuer()
  local.description = { issuer: address, jwks_uri: `${address}/keys` }
})
afterAll(() => local.stop())

const trust = (fetchJson: FetchJson) => createTrustedIssuers({ external: new Map(), log, fetchJson })
const token = (): Promise<string> => local.sign({ iss: address, aud: audience[0] })

test('finds the keys of a public issuer once, and verifies its tokens with them', async () => {
  sent = []
  const issuers = trust(toLocal)
  expect(await issuers.readClaims(await token(), address, audience)).toMatchObject({ sub: 'alice' })
  await issuers.readClaims(await token(), address, audience)
  expect(sent).toEqual([`${address}/.well-known/openid-configuration`, `${address}/keys`])
})

test('refuses a configuration of another issuer, and does not ask again at once', async () => {
  sent = []
  const issuers = trust(toLocal)
  local.description = { issuer: 'https://other.example', jwks_uri: `${address}/keys` }
  const unavailable = { code: 'ISSUER_UNAVAILABLE', retryAfter: 5 }
  await expect(issuers.readClaims(await token(), address, audience)).rejects.toMatchObject(unavailable)
  await expect(issuers.readClaims(await token(), address, audience)).rejects.toMatchObject(unavailable)
  expect(sent).toHaveLength(1)
  local.description = { issuer: address, jwks_uri: `${address}/keys` }
})

test('refuses private addresses, also those that a name resolves to', async () => {
  const resolved: string[] = []
  const resolve = ((name: string, _options: unknown, done: (error: null, found: object[]) => void) => {
    resolved.push(name)
    done(null, [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ])
  }) as typeof lookup
  const issuers = trust(createPublicFetch(resolve))
  const unavailable = { code: 'ISSUER_UNAVAILABLE' }
  const cases = [address, local.url, 'https://127.0.0.1:9', 'https://[::1]:9', 'http://issuer.example']
  for (const issuer of cases) {
    await expect(issuers.readClaims(await token(), issuer, audience)).rejects.toMatchObject(unavailable)
  }
  expect(resolved).toEqual(['issuer.example'])
  expect(lines.join('\n')).toContain('issuer.example is 10.0.0.7, a private address')
  expect(cases.map((issuer) => issuers.isAllowed(issuer))).toEqual([true, false, false, false, false])
})
