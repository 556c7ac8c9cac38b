import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { TokenScope } from '../../../shared/route.ts'

/** Who calls, and what their token was narrowed to. */
export interface Caller {
  person: Person
  scope: TokenScope | null
}

/** Turns a bearer token into its caller. Throws TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED or ISSUER_UNAVAILABLE. */
export type VerifyToken = (token: string) => Promise<Caller>

/** One sentence for everything that is wrong with a token: it tells an attacker nothing. */
export const invalidToken = (cause?: unknown): DomainError =>
  new DomainError('TOKEN_INVALID', 'This token is not accepted here. Get a new one.', { cause })

export const expiredToken = (cause: unknown): DomainError =>
  new DomainError('TOKEN_EXPIRED', 'This token has expired. Get a new one.', { cause })
