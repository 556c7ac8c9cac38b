import { errors, jwtVerify } from 'jose'
import type { JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { PublishGrant } from '../../../shared/contracts/trusted-publishers.ts'
import type { RouteScope } from '../../../shared/route.ts'
import { texts } from './identity.texts.ts'

/** The authenticated person, and the scope of their token. */
export interface Caller {
  person: Person
  scope: RouteScope | null
  /** Only for the token of a trusted publisher. */
  grant?: PublishGrant
  /** The person as they are now. Throws TOKEN_INVALID or TOKEN_REVOKED once the token has ended or they were removed. */
  readPerson(): Person
}

/** Resolves a bearer token to its caller. Throws TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED or ISSUER_UNAVAILABLE. */
export type VerifyToken = (token: string) => Promise<Caller>

/** The same message for every kind of invalid token, so that it reveals nothing to an attacker. */
export const invalidToken = (cause?: unknown): DomainError =>
  new DomainError('TOKEN_INVALID', texts.invalidToken, { cause })

/** Verifies the signature and the claims of a token. Throws TOKEN_INVALID, TOKEN_EXPIRED, and what `findKey` throws. */
export async function verifyJwt(
  token: string,
  findKey: JWTVerifyGetKey,
  required: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, findKey, required)
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new DomainError('TOKEN_EXPIRED', texts.expiredToken, { cause: error })
    }
    throw error instanceof DomainError ? error : invalidToken(error)
  }
}
