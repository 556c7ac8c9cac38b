import { exportJWK, generateKeyPair } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testIssuer } from '../../src/server/domains/identity/test-issuer.service.ts'
import type { IssuerCheck } from '../../src/server/domains/identity/test-issuer.service.ts'
import { startOidcIssuer } from '../support/server/oidc-issuer.ts'
import type { OidcIssuer } from '../support/server/oidc-issuer.ts'

let issuer: OidcIssuer
beforeEach(async () => {
  issuer = await startOidcIssuer()
})
afterEach(() => issuer.stop())

const names = [
  'The provider answers',
  'The issuer is the same',
  'The address of the keys is the same',
  'The clocks agree',
  'The keys can be read',
  'The keys fit the algorithms',
]

/** What is not well, by its name. */
const problemsOf = (checks: IssuerCheck[]): Record<string, string> => {
  expect(checks.map(({ name }) => name)).toEqual(names)
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]))
}

test('a good provider passes every check, and its keys are named', async () => {
  const checks = await testIssuer(issuer.settings())
  expect(problemsOf(checks)).toEqual({})
  const keys = checks.at(-1)?.detail
  for (const [algorithm, { kid }] of Object.entries(issuer.keys))
    expect(keys).toContain(`${algorithm} (key ${kid})`)
})

test('an address that differs by its last slash is shown on both sides', async () => {
  issuer.description = { issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/other` }
  const problems = problemsOf(await testIssuer(issuer.settings()))
  expect(Object.keys(problems)).toEqual(['The issuer is the same', 'The address of the keys is the same'])
  expect(problems['The issuer is the same']).toBe(
    `The provider says ${issuer.url}/, the settings say ${issuer.url}. Set "issuer" to exactly what the provider says.`,
  )
  expect(problems['The address of the keys is the same']).toContain('Set "jwksUrl" to exactly')
})

test('a description that names nothing is told apart', async () => {
  issuer.description = { issuer: undefined, jwks_uri: 7 }
  const problems = problemsOf(await testIssuer(issuer.settings()))
  expect(problems['The issuer is the same']).toContain('does not name it')
  expect(problems['The address of the keys is the same']).toContain('does not name it')
})

test('a clock that is wrong is named with its direction', async () => {
  issuer.clockError = -90_000
  expect(problemsOf(await testIssuer(issuer.settings()))).toEqual({
    'The clocks agree': expect.stringMatching(/(89|90|91) s behind this computer's.*NTP/),
  })
  issuer.clockError = 30_000
  expect(problemsOf(await testIssuer(issuer.settings()))).toEqual({})
})

test('keys that fit no allowed algorithm are told, and what to change', async () => {
  const problems = problemsOf(await testIssuer(issuer.settings({ algorithms: ['ES384'] })))
  expect(problems).toEqual({
    'The keys fit the algorithms': expect.stringContaining('with ES384. Let the provider'),
  })
})

test('an RSA key that is too short, or not for signatures, is not usable', async () => {
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
  expect(Object.keys(problemsOf(await testIssuer(settings)))).toEqual(['The keys fit the algorithms'])
  issuer.keys.ES256.jwk = await exportJWK(publicKey)
  const checks = await testIssuer(settings)
  expect(checks.at(-1)).toMatchObject({ ok: true, detail: 'Usable: RS256 or PS256 (key without id).' })
})

test.each([
  ['away', 'cannot be reached', 'network and firewall'],
  ['silent', 'did not answer within 5 s', 'ask whoever runs the provider'],
  ['huge', 'more than 262144 bytes', 'more than a provider'],
  ['html', 'not JSON (text/html)', 'a web page answers there'],
  ['redirect', 'wants to redirect to /moved', 'set "jwksUrl" to the final address'],
  ['error', 'answered with the status 500', 'Check "jwksUrl"'],
] as const)('a provider that is %s is described, with the next step', async (behaviour, what, next) => {
  issuer.behaviour = behaviour
  const problems = problemsOf(await testIssuer(issuer.settings()))
  expect(Object.keys(problems)).toEqual(names)
  expect(problems['The keys can be read']).toContain(what)
  expect(problems['The keys can be read']).toContain(next)
  expect(problems['The provider answers']).toContain(what)
  expect(problems['The clocks agree']).toMatch(/^Not checked/)
})

test('nobody at the address is a check that failed, not an error', async () => {
  const settings = issuer.settings()
  await issuer.stop()
  expect(problemsOf(await testIssuer(settings))['The provider answers']).toContain('ECONNREFUSED')
})
