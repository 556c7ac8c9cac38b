import { importJWK } from 'jose'
import type { Person } from '../../../shared/contracts/people.ts'
import type { PublishGrant } from '../../../shared/contracts/trusted-publishers.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { SigningKey } from '../../storage/signing-key.ts'
import { invalidToken, verifyJwt } from './caller.rules.ts'
import type { VerifyToken } from './caller.rules.ts'
import { identityRepository, toPerson } from './identity.repository.ts'
import type { TokenRow } from './identity.repository.ts'
import { builtInAudience, builtInIssuer } from './identity.rules.ts'
import { texts } from './identity.texts.ts'
import { createUseRecorder } from './record-use.service.ts'

/** The grant of a trusted publisher's token, by its `jti`. */
export type FindGrant = (jti: string) => (PublishGrant & { personId: number; isActive: 0 | 1 }) | null

/**
 * Verifies the tokens that this server signs itself (rulings, "Verification"): the algorithm is fixed, issuer,
 * audience, expiry and subject are checked without clock skew, and the `jti` must be known and not revoked.
 */
export function createBuiltInVerifier(
  database: Database,
  signingKey: Pick<SigningKey, 'x'>,
  findGrant: FindGrant,
): VerifyToken {
  let key: ReturnType<typeof importJWK> | null = null
  // Imported with the first token, because the code for it takes a server longer to load than its other keys.
  const findKey = () => (key ??= importJWK({ kty: 'OKP', crv: 'Ed25519', x: signingKey.x }, 'EdDSA'))
  const people = identityRepository(database.reader)
  const writing = identityRepository(database.writer)
  const recordUse = createUseRecorder(database)

  async function check(token: string): Promise<{ sub: string; jti: string }> {
    const { payload } = await verifyJwt(token, findKey, {
      algorithms: ['EdDSA'],
      issuer: builtInIssuer,
      audience: builtInAudience,
      requiredClaims: ['sub', 'exp', 'iat', 'jti'],
      clockTolerance: 0,
    })
    if (typeof payload.sub !== 'string' || typeof payload.jti !== 'string') throw invalidToken()
    return { sub: payload.sub, jti: payload.jti }
  }

  const readGrant = (jti: string): { person: Person; grant: PublishGrant } => {
    const found = findGrant(jti)
    const person = found === null ? null : people.findPersonById(found.personId)
    if (found === null || person === null) throw invalidToken()
    if (found.isActive === 0) throw new DomainError('TOKEN_REVOKED', texts.revokedToken)
    return { person: toPerson(person), grant: { id: found.id, name: found.name } }
  }

  const readOwner = (token: TokenRow | null, sub: string): Person => {
    const person = token === null ? null : people.findPersonById(token.personId)
    if (token === null || person?.subject !== sub || person.issuer !== builtInIssuer) throw invalidToken()
    if (token.revokedAt === null && person.removedAt === null) return toPerson(person)
    throw new DomainError('TOKEN_REVOKED', texts.revokedToken)
  }

  return async (token) => {
    const { sub, jti } = await check(token)
    database.assertAvailable()
    const row = people.findToken(jti)
    if (row === null) {
      return { ...readGrant(jti), scope: 'submit', readPerson: () => readGrant(jti).person }
    }
    const person = readOwner(row, sub)
    recordUse(jti, row.lastUsedAt, (now) => writing.touchToken({ jti, at: now.toISOString() }))
    return { person, scope: row.scope, readPerson: () => readOwner(people.findToken(jti), sub) }
  }
}
