import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { IssuerAlgorithm } from '../../../shared/contracts/issuers.ts'
import { invalidToken, verifyJwt } from './caller.rules.ts'

/** Seconds by which a provider's clock may differ. Rulings, "Verification". */
export const clockSkew = 60

/**
 * Providers also sign other tokens, such as logout tokens; these are the types of access tokens (RFC 7519, RFC 9068).
 */
const tokenTypes = new Set([undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt'])

export interface ProviderTokenRules {
  issuer: string
  /** The token must have at least one of them. */
  audience: string[]
  algorithms: readonly IssuerAlgorithm[]
  /** Seconds since it was issued, with `iat` required; by default, only its expiry counts. */
  maxAge?: number
}

/** Verifies a token that a provider has signed. Throws TOKEN_INVALID, TOKEN_EXPIRED, and what `find` throws. */
export async function verifyProviderToken(
  token: string,
  find: JWTVerifyGetKey,
  { issuer, audience, algorithms, maxAge }: ProviderTokenRules,
): Promise<JWTPayload> {
  const { payload, protectedHeader } = await verifyJwt(token, find, {
    algorithms: [...algorithms],
    issuer,
    audience,
    requiredClaims: ['sub', 'exp'],
    clockTolerance: clockSkew,
    ...(maxAge !== undefined && { maxTokenAge: maxAge }),
  })
  if (!tokenTypes.has(protectedHeader.typ?.toLowerCase())) throw invalidToken()
  return payload
}
