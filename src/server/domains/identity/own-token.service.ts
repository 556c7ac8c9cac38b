import { decodeJwt } from 'jose'
import type { OwnToken } from '../../../shared/contracts/logins.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { identityRepository } from './identity.repository.ts'
import { builtInIssuer } from './identity.rules.ts'
import type { PeopleService } from './people.service.ts'
import { texts } from './identity.texts.ts'

/** Describes and revokes the token of a request. `authorization` must have been verified and belong to the person. */
export function createOwnToken(database: Database, people: Pick<PeopleService, 'revokeToken'>) {
  const reading = identityRepository(database.reader)

  return {
    describe(person: Person, authorization: string | undefined): OwnToken {
      database.assertAvailable()
      const { subject, name, role, issuer } = person
      const { jti, exp } = claimsOf(authorization)
      const row = issuer === builtInIssuer && jti !== undefined ? reading.findToken(jti) : null
      return {
        person: { subject, name, role, issuer },
        scope: row?.scope ?? null,
        label: row?.label ?? null,
        expiresAt: new Date((exp ?? 0) * 1000).toISOString(),
      }
    },

    /** Throws VALIDATION_FAILED for a token of an external issuer, NOT_FOUND if it has just been revoked elsewhere. */
    async end(person: Person, authorization: string | undefined): Promise<void> {
      const { jti } = claimsOf(authorization)
      if (person.issuer !== builtInIssuer || jti === undefined) {
        throw new DomainError('VALIDATION_FAILED', texts.tokenOf(person.issuer))
      }
      await people.revokeToken(jti)
    },
  }
}

export type OwnTokens = ReturnType<typeof createOwnToken>

function claimsOf(authorization: string | undefined): { jti?: string; exp?: number } {
  return decodeJwt((authorization ?? '').trim().replace(/^bearer +/i, ''))
}
