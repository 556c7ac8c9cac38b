import { SignJWT, importJWK } from 'jose'
import type { SigningKey } from '../../storage/signing-key.ts'
import { builtInAudience, builtInIssuer } from './identity.rules.ts'

interface TokenClaims {
  subject: string
  jti: string
  /** Seconds since 1970. */
  issuedAt: number
  expires: number
}

/** Signs tokens of this registry (section 5.1). They are only valid with a record of their `jti`. */
export function createTokenSigner(signingKey: SigningKey) {
  return async ({ subject, jti, issuedAt, expires }: TokenClaims): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', kid: signingKey.kid, typ: 'JWT' })
      .setIssuer(builtInIssuer)
      .setAudience(builtInAudience)
      .setSubject(subject)
      .setJti(jti)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expires)
      .sign(await importJWK(signingKey, 'EdDSA'))
}

export type SignToken = ReturnType<typeof createTokenSigner>
