import { importJWK } from 'jose'
import type { JWK } from 'jose'
import type { ExternalIssuer, IssuerAlgorithm } from '../../../shared/contracts/issuers.ts'
import { fetchKeySet } from './issuer-keys.service.ts'
import { ProviderError, fetchProviderJson } from './provider-fetch.service.ts'
import type { ProviderProblem } from './provider-fetch.service.ts'

/** One thing that was looked at; `detail` says what was found and, where it is not well, what to do next. */
export interface IssuerCheck {
  name: string
  ok: boolean
  detail: string
}

/** Seconds between the clocks that tokens may bear (rulings, "Verification"). */
const clockSkew = 60

/**
 * Asks a provider what it says about itself and compares that with the settings, for "test this provider".
 * Only the configured addresses are asked. Never throws for what the provider does.
 */
export async function testIssuer(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const [described, keys] = await Promise.all([checkDescription(issuer), checkKeys(issuer)])
  return [...described, ...keys]
}

const check = (name: string, ok: boolean, detail: string): IssuerCheck => ({ name, ok, detail })

async function checkDescription(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const address = `${issuer.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const reachable = 'The provider answers'
  try {
    const { value, date } = await fetchProviderJson(address)
    return [
      check(reachable, true, `It describes itself at ${address}.`),
      compare('The issuer is the same', 'issuer', issuer.issuer, field(value, 'issuer')),
      compare('The address of the keys is the same', 'jwksUrl', issuer.jwksUrl, field(value, 'jwks_uri')),
      checkClock(date),
    ]
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const skipped = 'Not checked, because the provider does not describe itself. Mend that first.'
    return [
      check(reachable, false, `At ${address} it ${error.message}. ${advice('issuer')[error.problem]}`),
      check('The issuer is the same', false, skipped),
      check('The address of the keys is the same', false, skipped),
      check('The clocks agree', false, skipped),
    ]
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Compared as written: a slash at the end makes another issuer. */
function compare(name: string, setting: string, configured: string, found: unknown): IssuerCheck {
  if (found === configured) return check(name, true, `Both say ${configured}.`)
  if (typeof found !== 'string') {
    const detail = `The provider's description does not name it. Make sure that "${setting}" is the address of an OpenID Connect provider.`
    return check(name, false, detail)
  }
  const shown = found.slice(0, 500)
  return check(
    name,
    false,
    `The provider says ${shown}, the settings say ${configured}. Set "${setting}" to exactly what the provider says.`,
  )
}

function checkClock(date: string | null): IssuerCheck {
  const name = 'The clocks agree'
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs))
    return check(name, true, 'The provider does not tell the time, so it is taken on trust.')
  const seconds = Math.round((theirs - Date.now()) / 1000)
  const apart = `The provider's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this computer's`
  return Math.abs(seconds) <= clockSkew
    ? check(name, true, `${apart}; up to ${clockSkew} s do no harm.`)
    : check(name, false, `${apart}, so good tokens will be refused. Let this computer set its clock by NTP.`)
}

async function checkKeys(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const readable = 'The keys can be read'
  const fitting = 'The keys fit the algorithms'
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
            `None of them can be used with ${allowed}. Let the provider sign with one of these, or change "algorithms".`,
          ),
    ]
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return [
      check(readable, false, `At ${issuer.jwksUrl} it ${error.message}. ${advice('jwksUrl')[error.problem]}`),
      check(fitting, false, 'Not checked, because there are no keys. Mend that first.'),
    ]
  }
}

/** `RS256 (key a1)`, or null where none of the allowed algorithms can be used with the key. */
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

/** RFC 7518, section 3.3: an RSA key has 2048 bits or more. */
function isLongEnough(key: Awaited<ReturnType<typeof importJWK>>): boolean {
  if (key instanceof Uint8Array) return false
  const { modulusLength } = key.algorithm as { modulusLength?: number }
  return modulusLength === undefined || modulusLength >= 2048
}

const advice = (setting: string): Record<ProviderProblem, string> => ({
  unreachable: `Check "${setting}", and that this computer may reach it through its network and firewall.`,
  slow: 'Try again; if it stays slow, ask whoever runs the provider.',
  redirect: `Redirects are not followed: set "${setting}" to the final address.`,
  status: `Check "${setting}": there is no such document at this address.`,
  'too large': `Check "${setting}": this is more than a provider's document has.`,
  'not JSON': `Check "${setting}": a web page answers there, not the provider's own document.`,
  'not keys': `Check "${setting}": it must be the address of the JWKS document ("jwks_uri" in the provider's description).`,
})
