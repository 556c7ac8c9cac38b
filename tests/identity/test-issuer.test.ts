import { exportJWK, generateKeyPair } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testIssuer } from '../../src/server/domains/identity/test-issuer.service.ts'
import type { IssuerCheck } from '../../src/shared/contracts/desk-people.ts'
import { startOidcIssuer } from '../support/server/oidc-issuer.ts'
import type { OidcIssuer } from '../support/server/oidc-issuer.ts'

let issuer: OidcIssuer
beforeEach(async () => {
  issuer = await startOidcIssuer()
})
afterEach(() => issuer.stop())

const names = [
  'Provider reachable',
  'Issuer matches',
  'Key set address matches',
  'Clocks agree',
  'Keys readable',
  'Keys match the algorithms',
]

/** The details of the failed checks by name. */
const problemsOf = (checks: IssuerCheck[]): Record<string, string> => {
  expect(checks.map(({ name }) => name)).toEqual(names)
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]))
}

test('a valid provider passes every check, and its keys are listed', async () => {
  const checks = await testIssuer(issuer.settings())
  expect(problemsOf(checks)).toEqual({})
  const keys = checks.at(-1)?.detail
  for (const [algorithm, { kid }] of Object.entries(issuer.keys))
    expect(keys).toContain(`${algorithm} (key ${kid})`)
})

test('an address that differs in the trailing slash is shown with both values', async () => {
  issuer.description = { issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/other` }
  const problems = problemsOf(await testIssuer(issuer.settings()))
  expect(Object.keys(problems)).toEqual(['Issuer matches', 'Key set address matches'])
  expect(problems['Issuer matches']).toBe(
    `The provider has ${issuer.url}/, but the settings have ${issuer.url}. Set "issuer" to exactly the provider's value.`,
  )
  expect(problems['Key set address matches']).toContain('Set "jwksUrl" to exactly')
})

test('missing values in the provider configuration are reported', async () => {
  issuer.description = { issuer: undefined, jwks_uri: 7 }
  const problems = problemsOf(await testIssuer(issuer.settings()))
  expect(problems['Issuer matches']).toContain("missing from the provider's configuration")
  expect(problems['Key set address matches']).toContain("missing from the provider's configuration")
})

test('a wrong clock is reported with its direction', async () => {
  issuer.clockError = -90_000
  expect(problemsOf(await testIssuer(issuer.settings()))).toEqual({
    'Clocks agree': expect.stringMatching(/(89|90|91) s behind this computer's.*NTP/),
  })
  issuer.clockError = 30_000
  expect(problemsOf(await testIssuer(issuer.settings()))).toEqual({})
})

test('keys that match no allowed algorithm are reported with a fix', async () => {
  const problems = problemsOf(await testIssuer(issuer.settings({ algorithms: ['ES384'] })))
  expect(problems).toEqual({
    'Keys match the algorithms': expect.stringContaining('with ES384. Configure the provider'),
  })
})

test('an RSA key that is too short or not for signatures is unusable', async () => {
  const short = await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  )
  const { publicKey } = await generateKeyPair('RS256')
  issuer.keys.RS256.jwk = await exportJWK(short.publicKey)
  issuer.keys.ES256.jwk = { ...(await exportJWK(publicKey)), use: 'enc' }
  const settings = issuer.settings({ algorithms: ['RS256', 'PS256'] })
  expect(Object.keys(problemsOf(await testIssuer(settings)))).toEqual(['Keys match the algorithms'])
  issuer.keys.ES256.jwk = await exportJWK(publicKey)
  const checks = await testIssuer(settings)
  expect(checks.at(-1)).toMatchObject({ ok: true, detail: 'Usable: RS256 or PS256 (key without id).' })
})

test.each([
  ['away', 'could not be reached', 'network and firewall'],
  ['silent', 'did not respond within 5 s', "contact the provider's operator"],
  ['huge', 'more than 262144 bytes', 'too large for this kind of document'],
  ['html', 'did not respond with JSON (text/html)', 'seems to be that of a web page'],
  ['redirect', 'redirected to /moved', 'set "jwksUrl" to the final address'],
  ['error', 'responded with status 500', 'Check "jwksUrl"'],
] as const)('a provider that is %s is described, with the next step', async (behavior, what, next) => {
  issuer.behavior = behavior
  const problems = problemsOf(await testIssuer(issuer.settings()))
  expect(Object.keys(problems)).toEqual(names)
  expect(problems['Keys readable']).toContain(what)
  expect(problems['Keys readable']).toContain(next)
  expect(problems['Provider reachable']).toContain(what)
  expect(problems['Clocks agree']).toMatch(/^Not checked/)
})

test('a closed port is a failed check, not an error', async () => {
  const settings = issuer.settings()
  await issuer.stop()
  expect(problemsOf(await testIssuer(settings))['Provider reachable']).toContain('ECONNREFUSED')
})
