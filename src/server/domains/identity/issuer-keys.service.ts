import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors } from 'jose'
import type { FetchImplementation, JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import type { ExternalIssuer } from '../../../shared/contracts/issuers.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Logger } from '../../operations/logging.ts'
import { ProviderError, fetchProviderJson, providerTimeoutMs } from './provider-fetch.service.ts'
import type { FetchJson } from './provider-fetch.service.ts'
import { texts } from './identity.texts.ts'
import { logTexts } from '../../operations/log.texts.ts'

/** How long a key set is used before it is fetched again. */
const freshMs = 600_000
/** Minimum time between fetches for an unknown key, and after a failed fetch. */
const cooldownMs = 30_000
/** The same while there is no key set at all and no token of this issuer can be verified. */
const firstRetryMs = 5000
/** How long the last key set is used while the provider is unavailable. */
const staleMs = 24 * 3_600_000
const maxKeys = 100

/**
 * Finds the public keys of an issuer, for `jwtVerify`. Throws ISSUER_UNAVAILABLE if they can't be fetched. jose caches
 * them, refetches them when they are old or lack a key, and shares one fetch between requests. This adds what jose
 * lacks: a size limit, a pause after a failed fetch, and a fallback to the last key set.
 */
export function createIssuerKeys(
  { name, jwksUrl }: Pick<ExternalIssuer, 'name' | 'jwksUrl'>,
  log: Logger,
  fetchJson?: FetchJson,
): JWTVerifyGetKey {
  let lastKeys: { fetchedAt: number; find: JWTVerifyGetKey } | null = null
  let failure: { at: number; error: ProviderError } | null = null

  const pauseEnds = (): number =>
    failure === null ? 0 : failure.at + (lastKeys === null ? firstRetryMs : cooldownMs)

  const guardedFetch: FetchImplementation = async (url, { headers }) => {
    if (failure !== null && Date.now() < pauseEnds()) throw failure.error
    try {
      const set = await fetchKeySet(url, headers, fetchJson)
      lastKeys = { fetchedAt: Date.now(), find: createLocalJWKSet(set) }
      failure = null
      return Response.json(set)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      failure = { at: Date.now(), error }
      const keysOf = lastKeys === null ? null : new Date(lastKeys.fetchedAt).toISOString()
      log.warn({ issuer: name, problem: error.message, keysOf }, logTexts.issuerKeysNotFetched)
      throw error
    }
  }

  const createRemote = (): JWTVerifyGetKey =>
    createRemoteJWKSet(new URL(jwksUrl), {
      cacheMaxAge: freshMs,
      cooldownDuration: cooldownMs,
      timeoutDuration: providerTimeoutMs,
      [customFetch]: guardedFetch,
    })
  let remote = createRemote()

  /** After the clock was set back, old keys would count as fresh and old failures as recent until it catches up. */
  const dropFutureTimes = (now: number): void => {
    if (failure !== null && failure.at > now) failure = null
    if (lastKeys === null || lastKeys.fetchedAt <= now) return
    lastKeys = { ...lastKeys, fetchedAt: now }
    remote = createRemote()
  }

  const unavailable = (cause: unknown): DomainError =>
    new DomainError('ISSUER_UNAVAILABLE', texts.keysUnavailable(name), {
      cause,
      retryAfter: Math.max(1, Math.ceil((pauseEnds() - Date.now()) / 1000)),
    })

  return async (header, token) => {
    dropFutureTimes(Date.now())
    try {
      return await remote(header, token)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (lastKeys === null || Date.now() - lastKeys.fetchedAt > staleMs) throw unavailable(error)
      try {
        return await lastKeys.find(header, token)
      } catch (inner) {
        // The key may be a new one that could not be fetched, so the token isn't necessarily invalid.
        throw inner instanceof errors.JWKSNoMatchingKey ? unavailable(error) : inner
      }
    }
  }
}

/** Fetches and checks a key set. Throws ProviderError. */
export async function fetchKeySet(
  url: string,
  headers?: Headers,
  fetchJson: FetchJson = fetchProviderJson,
): Promise<JSONWebKeySet> {
  const { value } = await fetchJson(url, headers)
  if (!isKeySet(value)) throw new ProviderError('not keys', texts.provider.notKeys)
  if (value.keys.length > maxKeys) {
    throw new ProviderError('too large', texts.provider.tooManyKeys(value.keys.length, maxKeys))
  }
  return value
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value)) return false
  return Array.isArray(value.keys) && value.keys.every((key) => typeof key === 'object' && key !== null)
}
