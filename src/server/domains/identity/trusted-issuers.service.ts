import type { JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { issuerAlgorithms } from '../../../shared/contracts/issuers.ts'
import { DomainError } from '../../../shared/errors.ts'
import { refuseUrl } from '../../outbound/outbound-request.ts'
import { logTexts } from '../../operations/log.texts.ts'
import type { Logger } from '../../operations/logging.ts'
import type { ExternalPeople } from './external-issuers.service.ts'
import type { Claims } from './external-claims.rules.ts'
import { texts } from './identity.texts.ts'
import { createIssuerKeys } from './issuer-keys.service.ts'
import { ProviderError, createPublicFetch } from './provider-fetch.service.ts'
import type { FetchJson } from './provider-fetch.service.ts'
import { verifyProviderToken } from './provider-tokens.service.ts'

/** Issuers whose keys are remembered, and for how long, in milliseconds; a problem is remembered for a shorter time. */
const maxIssuers = 100
const freshMs = 10 * 60_000
const retryMs = 5000
/** Seconds. GitLab issues a job's tokens when the job starts. */
const maxAge = 3600

interface TrustedIssuerParts {
  /** The identity providers of the settings, by the `iss` of their tokens. */
  external: ReadonlyMap<string, ExternalPeople>
  log: Logger
  fetchJson?: FetchJson
}

/**
 * Verifies the identity tokens of jobs (decision 034). Publishers name the issuers, so unless an administrator has configured
 * an issuer as an identity provider, only public addresses are connected to.
 */
export function createTrustedIssuers({ external, log, fetchJson = createPublicFetch() }: TrustedIssuerParts) {
  const found = new LRUCache<string, Promise<JWTVerifyGetKey>>({ max: maxIssuers, ttl: freshMs })

  const discover = async (issuer: string): Promise<JWTVerifyGetKey> => {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { value } = await fetchJson(address)
    const described = z.object({ issuer: z.literal(issuer), jwks_uri: z.url() }).safeParse(value)
    if (!described.success) throw new ProviderError('not keys', texts.provider.otherIssuer, described.error)
    return createIssuerKeys({ name: issuer, jwksUrl: described.data.jwks_uri }, log, fetchJson)
  }

  const keysOf = (issuer: string): Promise<JWTVerifyGetKey> => {
    const known = found.get(issuer)
    if (known !== undefined) return known
    const keys = discover(issuer).catch((error: unknown) => {
      found.set(issuer, keys, { ttl: retryMs })
      if (!(error instanceof ProviderError)) throw error
      log.warn({ issuer, problem: error.message }, logTexts.issuerKeysNotFetched)
      throw new DomainError('ISSUER_UNAVAILABLE', texts.keysUnavailable(issuer), {
        cause: error,
        retryAfter: retryMs / 1000,
      })
    })
    found.set(issuer, keys)
    return keys
  }

  return {
    /** Whether its address may be connected to, as far as that is known without looking it up. */
    isAllowed(issuer: string): boolean {
      const url = URL.parse(issuer)
      return external.has(issuer) || (url !== null && refuseUrl(url) === null)
    },

    /** Throws TOKEN_INVALID, TOKEN_EXPIRED or ISSUER_UNAVAILABLE. */
    async readClaims(token: string, issuer: string, audience: string[]): Promise<Claims> {
      const configured = external.get(issuer)
      if (configured !== undefined) return configured.readClaims(token, { audience, maxAge })
      return verifyProviderToken(token, await keysOf(issuer), {
        issuer,
        audience,
        maxAge,
        algorithms: issuerAlgorithms,
      })
    },
  }
}

export type TrustedIssuers = ReturnType<typeof createTrustedIssuers>
