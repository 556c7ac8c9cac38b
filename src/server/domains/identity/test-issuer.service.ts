import { importJWK } from 'jose'
import type { JWK } from 'jose'
import type { IssuerCheck } from '../../../shared/contracts/desk-people.ts'
import type { ExternalIssuer, IssuerAlgorithm } from '../../../shared/contracts/issuers.ts'
import { fetchKeySet } from './issuer-keys.service.ts'
import { ProviderError, fetchProviderJson } from './provider-fetch.service.ts'
import { clockSkew } from './provider-tokens.service.ts'
import { texts } from './identity.texts.ts'

/**
 * Compares a provider's published configuration with the settings, for "Test provider". Requests only the configured
 * addresses. Problems with the provider are reported as results, never thrown.
 */
export async function testIssuer(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const [described, keys] = await Promise.all([checkDescription(issuer), checkKeys(issuer)])
  return [...described, ...keys]
}

const { checks, advice } = texts.test

const check = (name: string, ok: boolean, detail: string): IssuerCheck => ({ name, ok, detail })

async function checkDescription(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  const address = `${issuer.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const { value, date } = await fetchProviderJson(address)
    return [
      check(checks.reachable, true, texts.test.configurationAt(address)),
      compare(checks.issuer, 'issuer', issuer.issuer, field(value, 'issuer')),
      compare(checks.keySet, 'jwksUrl', issuer.jwksUrl, field(value, 'jwks_uri')),
      checkClock(date),
    ]
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const skipped = [checks.issuer, checks.keySet, checks.clocks]
    return [
      check(checks.reachable, false, failed(address, error, 'issuer')),
      ...skipped.map((name) => check(name, false, texts.test.noConfiguration)),
    ]
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Compares exactly: a trailing slash makes a different issuer. */
function compare(name: string, setting: string, configured: string, found: unknown): IssuerCheck {
  if (found === configured) return check(name, true, texts.test.same(configured))
  if (typeof found !== 'string') return check(name, false, texts.test.missing(setting))
  return check(name, false, texts.test.differs(setting, found.slice(0, 500), configured))
}

function checkClock(date: string | null): IssuerCheck {
  const providerTime = Date.parse(date ?? '')
  if (Number.isNaN(providerTime)) return check(checks.clocks, true, texts.test.noDate)
  const seconds = Math.round((providerTime - Date.now()) / 1000)
  return check(checks.clocks, Math.abs(seconds) <= clockSkew, texts.test.skew(seconds, clockSkew))
}

async function checkKeys(issuer: ExternalIssuer): Promise<IssuerCheck[]> {
  try {
    const { keys } = await fetchKeySet(issuer.jwksUrl)
    const usable = await Promise.all(keys.map((key) => describeKey(key, issuer.algorithms)))
    const found = usable.filter((text) => text !== null)
    return [
      check(checks.keysReadable, true, texts.test.keysAt(keys.length, issuer.jwksUrl)),
      found.length > 0
        ? check(checks.keysMatch, true, texts.test.usable(found.slice(0, 10)))
        : check(checks.keysMatch, false, texts.test.noneUsable(issuer.algorithms)),
    ]
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return [
      check(checks.keysReadable, false, failed(issuer.jwksUrl, error, 'jwksUrl')),
      check(checks.keysMatch, false, texts.test.noKeys),
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
  return usable.length === 0 ? null : texts.test.key(usable, shownId(key))
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

function shownId({ kid }: JWK): string | undefined {
  return typeof kid === 'string' ? kid.slice(0, 100) : undefined
}

/** RFC 7518, section 3.3: an RSA key must have at least 2048 bits. */
function isLongEnough(key: Awaited<ReturnType<typeof importJWK>>): boolean {
  if (key instanceof Uint8Array) return false
  const { modulusLength } = key.algorithm as { modulusLength?: number }
  return modulusLength === undefined || modulusLength >= 2048
}

const failed = (address: string, { message, problem }: ProviderError, setting: string): string =>
  texts.test.failed(address, message, advice[problem](setting))
