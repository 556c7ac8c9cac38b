import { importJWK } from 'jose'
import type { JWK } from 'jose'
import type { ExternalIssuer, IssuerAlgorithm } from '../../../shared/contracts/issuers.ts'
import { fetchKeySet } from './issuer-keys.service.ts'
import { ProviderError, fetchProviderJson } from './provider-fetch.service.ts'
import type { ProviderProblem } from './provider-fetch.service.ts'

/** The result of one test. `detail` says what was found and, after a failure, what to do next. */
export interface IssuerCheck {
  name: string
  ok: boolean
  detail: string
}

/** Maximum clock skew in seconds (rulings, "Verification"). */
const clockSkew = 60

/**
 * Compares a provider's published configuration with the settings, for "Test provider". Requests only the configured
 * addresses. Problems with the provider are reported as results, never thrown.
 */
export async function testIssuer(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const [described, keys] = await Promise.all([checkDescription(issuer), checkKeys(issuer)])
  return [...described, ...keys]
}

const check = (name: string, ok: boolean, detail: string): IssuerCheck => ({ name, ok, detail })

async function checkDescription(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const address = `${issuer.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const reachable = 'Provider reachable'
  try {
    const { value, date } = await fetchProviderJson(address)
    return [
      check(reachable, true, `Its configuration is at ${address}.`),
      compare('Issuer matches', 'issuer', issuer.issuer, field(value, 'issuer')),
      compare('Key set address matches', 'jwksUrl', issuer.jwksUrl, field(value, 'jwks_uri')),
      checkClock(date),
    ]
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const skipped = 'Not checked: the provider configuration could not be loaded. Fix that first.'
    return [
      check(reachable, false, failed(address, error, 'issuer')),
      check('Issuer matches', false, skipped),
      check('Key set address matches', false, skipped),
      check('Clocks agree', false, skipped),
    ]
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Compares exactly: a trailing slash makes a different issuer. */
function compare(name: string, setting: string, configured: string, found: unknown): IssuerCheck {
  if (found === configured) return check(name, true, `Both are ${configured}.`)
  if (typeof found !== 'string') {
    const detail = `It is missing from the provider's configuration. Check that "${setting}" is the address of an OpenID Connect provider.`
    return check(name, false, detail)
  }
  const shown = found.slice(0, 500)
  return check(
    name,
    false,
    `The provider has ${shown}, the settings have ${configured}. Set "${setting}" to exactly the provider's value.`,
  )
}

function checkClock(date: string | null): IssuerCheck {
  const name = 'Clocks agree'
  const providerTime = Date.parse(date ?? '')
  if (Number.isNaN(providerTime)) return check(name, true, 'Not checked: the response has no Date header.')
  const seconds = Math.round((providerTime - Date.now()) / 1000)
  const skew = `The provider's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this computer's`
  return Math.abs(seconds) <= clockSkew
    ? check(name, true, `${skew}; up to ${clockSkew} s is fine.`)
    : check(
        name,
        false,
        `${skew}, so valid tokens will be rejected. Synchronize this computer's clock with NTP.`,
      )
}

async function checkKeys(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const readable = 'Keys readable'
  const fitting = 'Keys match the algorithms'
  try {
    const { keys } = await fetchKeySet(issuer.jwksUrl)
    const usable = await Promise.all(keys.map((key) => describeKey(key, issuer.algorithms)))
    const found = usable.filter((text) => text !== null)
    const allowed = issuer.algorithms.join(', ')
    return [
      check(readable, true, `${keys.length} ${keys.length === 1 ? 'key' : 'keys'} at ${issuer.jwksUrl}.`),
      found.length > 0
        ? check(fitting, true, `Usable: ${found.slice(0, 10).join('; ')}.`)
        : check(
            fitting,
            false,
            `None can be used with ${allowed}. Configure the provider to sign with one of these, or change "algorithms".`,
          ),
    ]
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return [
      check(readable, false, failed(issuer.jwksUrl, error, 'jwksUrl')),
      check(fitting, false, 'Not checked: the keys could not be loaded. Fix that first.'),
    ]
  }
}

/** For example `RS256 (key a1)`, or null if the key can't be used with any of the allowed algorithms. */
async function describeKey(key: JWK, allowed: readonly IssuerAlgorithm[]): Promise<string | null> {
  if (key.use !== undefined && key.use !== 'sig') return null
  const tried = await Promise.all(
    allowed
      .filter((algorithm) => fits(key, algorithm))
      .map((algorithm) =>
        importJWK(key, algorithm).then(
          (imported) => (isLongEnough(imported) ? algorithm : null),
          () => null,
        ),
      ),
  )
  const usable = tried.filter((algorithm) => algorithm !== null)
  return usable.length === 0 ? null : `${usable.join(' or ')} (key ${shownId(key)})`
}

const keyKinds: Record<IssuerAlgorithm, string> = {
  RS256: 'RSA',
  PS256: 'RSA',
  ES256: 'EC P-256',
  ES384: 'EC P-384',
  EdDSA: 'OKP Ed25519',
}

function fits(key: JWK, algorithm: IssuerAlgorithm): boolean {
  if (key.alg !== undefined && key.alg !== algorithm) return false
  return keyKinds[algorithm] === (key.crv === undefined ? key.kty : `${key.kty} ${key.crv}`)
}

function shownId({ kid }: JWK): string {
  return typeof kid === 'string' ? kid.slice(0, 100) : 'without id'
}

/** RFC 7518, section 3.3: an RSA key must have at least 2048 bits. */
function isLongEnough(key: Awaited<ReturnType<typeof importJWK>>): boolean {
  if (key instanceof Uint8Array) return false
  const { modulusLength } = key.algorithm as { modulusLength?: number }
  return modulusLength === undefined || modulusLength >= 2048
}

const failed = (address: string, { message, problem }: ProviderError, setting: string): string =>
  `Request to ${address} failed: the provider ${message}. ${advice(setting)[problem]}`

const advice = (setting: string): Record<ProviderProblem, string> => ({
  unreachable: `Check "${setting}" and this computer's network and firewall.`,
  slow: "Try again. If it stays slow, contact the provider's operator.",
  redirect: `Redirects are not followed: set "${setting}" to the final address.`,
  status: `Check "${setting}": there is no such document at this address.`,
  'too large': `Check "${setting}": the response is too large for this kind of document.`,
  'not JSON': `Check "${setting}": the address seems to be that of a web page, not of the provider's document.`,
  'not keys': `Check "${setting}": it must be the address of the JWKS document ("jwks_uri" in the provider's description).`,
})
