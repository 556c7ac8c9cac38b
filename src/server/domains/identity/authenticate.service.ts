import { decodeJwt } from 'jose'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { SigningKey } from '../../storage/signing-key.ts'
import { createBuiltInVerifier } from './built-in-tokens.service.ts'
import type { FindGrant } from './built-in-tokens.service.ts'
import { invalidToken } from './caller.rules.ts'
import type { Caller, VerifyToken } from './caller.rules.ts'
import type { ExternalPeople } from './external-issuers.service.ts'
import { builtInIssuer, maxTokenLength } from './identity.rules.ts'
import { texts } from './identity.texts.ts'

interface AuthenticatorParts {
  database: Database
  signingKey: SigningKey
  /** The external issuers whose tokens are accepted in addition to built-in tokens, by the `iss` of these. */
  external: ReadonlyMap<string, ExternalPeople>
  findGrant: FindGrant
}

/**
 * Checks bearer tokens (section 5.1). The `iss` claim selects the issuer whose rules apply; it is trusted only after
 * the signature has been verified with that issuer's key.
 */
export function createAuthenticator(parts: AuthenticatorParts) {
  const { database, signingKey, external, findGrant } = parts
  const verifiers = new Map<unknown, VerifyToken>(
    [...external].map(([issuer, { verify }]) => [issuer, verify]),
  )
  verifiers.set(builtInIssuer, createBuiltInVerifier(database, signingKey, findGrant))

  /** `authorization` is the header as received. Throws TOKEN_MISSING and what `VerifyToken` throws. */
  return async function authenticate(authorization: string | undefined): Promise<Caller> {
    const token = /^bearer +([^\s]+)$/i.exec(authorization?.trim() ?? '')?.[1]
    if (token === undefined) throw new DomainError('TOKEN_MISSING', texts.noToken)
    if (token.length > maxTokenLength) throw invalidToken()
    const verify = verifiers.get(claimedIssuer(token))
    if (verify === undefined) throw invalidToken()
    return verify(token)
  }
}

function claimedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss
  } catch (error) {
    throw invalidToken(error)
  }
}
