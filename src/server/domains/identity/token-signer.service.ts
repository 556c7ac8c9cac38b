import { randomUUID } from 'node:crypto'
import { SignJWT, importJWK } from 'jose'
import type { SigningKey } from '../../storage/signing-key.ts'
import { builtInAudience, builtInIssuer } from './identity.rules.ts'

/** A token of this registry: its id, and when it is created and expires, in whole seconds. */
interface NewToken {
  jti: string
  createdAt: string
  expiresAt: string
}

/** A token that is valid for `life` seconds from `now`. */
export function newToken(life: number, now = new Date()): NewToken {
  const seconds = Math.floor(now.getTime() / 1000)
  const instant = (at: number): string => new Date(at * 1000).toISOString()
  return { jti: randomUUID(), createdAt: instant(seconds), expiresAt: instant(seconds + life) }
}

/** Signs tokens of this registry (section 5.1). They are only valid with a record of their `jti`. */
export function createTokenSigner(signingKey: SigningKey) {
  return async (subject: string, { jti, createdAt, expiresAt }: NewToken): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', kid: signingKey.kid, typ: 'JWT' })
      .setIssuer(builtInIssuer)
      .setAudience(builtInAudience)
      .setSubject(subject)
      .setJti(jti)
      .setIssuedAt(new Date(createdAt))
      .setExpirationTime(new Date(expiresAt))
      .sign(await importJWK(signingKey, 'EdDSA'))
}

export type SignToken = ReturnType<typeof createTokenSigner>
