import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors } from 'jose'
import type { FetchImplementation, JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import type { ExternalIssuer } from '../../../shared/contracts/issuers.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Logger } from '../../operations/logging.ts'
import { ProviderError, fetchProviderJson, providerTimeoutMs } from './provider-fetch.service.ts'

/** Milliseconds for which a key set is used without asking for it again. */
const freshMs = 600_000
/** Milliseconds between two looks for a key that the set does not hold, and after a look that failed. */
const cooldownMs = 30_000
/** The same where there is no key set at all, and nobody of this issuer gets in. */
const firstRetryMs = 5000
/** Milliseconds for which the last key set goes on working while the provider is away. */
const keptMs = 24 * 3_600_000
const maxKeys = 100

/** How the keys of an issuer stand, for those who look after it. */
export interface IssuerKeysState {
  /** When the keys in use came, ISO 8601; null where there are none. */
  fetchedAt: string | null
  /** What was wrong at the last look, null where it went well. */
  problem: string | null
}

export interface IssuerKeys {
  /** For `jwtVerify`. Throws ISSUER_UNAVAILABLE where the keys that are needed cannot be had. */
  find: JWTVerifyGetKey
  state(): IssuerKeysState
}

/**
 * The public keys of an issuer. jose keeps them, fetches them when they are old or lack a key, and lets
 * requests share one fetch. It knows no limit of size, no pause after a failed fetch and no older set to fall
 * back on; those are added here.
 */
export function createIssuerKeys({ name, jwksUrl }: ExternalIssuer, log: Logger): IssuerKeys {
  let kept: { fetchedAt: number; find: JWTVerifyGetKey } | null = null
  let failure: { at: number; error: ProviderError } | null = null

  const pauseEnds = (): number =>
    failure === null ? 0 : failure.at + (kept === null ? firstRetryMs : cooldownMs)

  const guardedFetch: FetchImplementation = async (url, { headers, signal }) => {
    if (failure !== null && Date.now() < pauseEnds()) throw failure.error
    try {
      const set = await fetchKeySet(url, signal, headers)
      kept = { fetchedAt: Date.now(), find: createLocalJWKSet(set) }
      failure = null
      return Response.json(set)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      failure = { at: Date.now(), error }
      log.warn(
        { issuer: name, problem: error.message, keysOf: state().fetchedAt },
        'no new keys of an issuer',
      )
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

  /** After the clock was set back, keys fetched before would count as fresh, and failures as recent, until it catches up. */
  const forgetTheFuture = (now: number): void => {
    if (failure !== null && failure.at > now) failure = null
    if (kept === null || kept.fetchedAt <= now) return
    kept = { ...kept, fetchedAt: now }
    remote = createRemote()
  }

  const unavailable = (cause: unknown): DomainError =>
    new DomainError(
      'ISSUER_UNAVAILABLE',
      `The keys of the issuer ${name} cannot be had now, so its token cannot be checked. Try again shortly.`,
      { cause, retryAfter: Math.max(1, Math.ceil((pauseEnds() - Date.now()) / 1000)) },
    )

  const state = (): IssuerKeysState => ({
    fetchedAt: kept === null ? null : new Date(kept.fetchedAt).toISOString(),
    problem: failure?.error.message ?? null,
  })

  return {
    state,
    async find(header, token) {
      forgetTheFuture(Date.now())
      try {
        return await remote(header, token)
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        if (kept === null || Date.now() - kept.fetchedAt > keptMs) throw unavailable(error)
        try {
          return await kept.find(header, token)
        } catch (inner) {
          // The key may be a new one that could not be fetched; nobody can say that the token is wrong.
          throw inner instanceof errors.JWKSNoMatchingKey ? unavailable(error) : inner
        }
      }
    },
  }
}

/** Fetches and checks a key set. Throws ProviderError. */
export async function fetchKeySet(
  url: string,
  signal?: AbortSignal,
  headers?: Headers,
): Promise<JSONWebKeySet> {
  const { value } = await fetchProviderJson(url, signal, headers)
  if (!isKeySet(value)) throw new ProviderError('not keys', 'answered with JSON that is no key set')
  if (value.keys.length > maxKeys) {
    throw new ProviderError(
      'too large',
      `answered with ${value.keys.length} keys; ${maxKeys} are read at most`,
    )
  }
  return value
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value)) return false
  return Array.isArray(value.keys) && value.keys.every((key) => typeof key === 'object' && key !== null)
}
