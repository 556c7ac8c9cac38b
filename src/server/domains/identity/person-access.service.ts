import type { AccessEntry, AccessKind, IssuedToken, NewToken } from '../../../shared/contracts/desk-people.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { PeopleService } from './people.service.ts'
import { personAccessRepository } from './person-access.repository.ts'
import { isBuiltIn } from './sessions.rules.ts'
import { texts } from './identity.texts.ts'

/** A token always expires, unlike other access. */
export type IssuedAccess = IssuedToken & { access: { expiresAt: string } }

const secondsPerDay = 24 * 3600

/** A person's tokens, desk sessions and passkeys. `currentSession` is the session of the request. */
export function createPersonAccess(database: Database, people: PeopleService) {
  const reading = personAccessRepository(database.reader)
  const writing = personAccessRepository(database.writer)

  const listAccess = (personId: number, currentSession: number | null): AccessEntry[] => {
    database.assertAvailable()
    return reading.listAccess({ personId, now: new Date().toISOString() }).map((row) => ({
      ...row,
      remote: row.remote === 1,
      current: row.kind === 'session' && row.id === String(currentSession),
    }))
  }

  return {
    listAccess,

    /** Throws VALIDATION_FAILED for a person of an external issuer. */
    async issueToken(
      person: Pick<Person, 'subject' | 'issuer'>,
      { label, scope, days }: NewToken,
    ): Promise<IssuedAccess> {
      if (!isBuiltIn(person)) {
        throw new DomainError('VALIDATION_FAILED', texts.tokensOf(person.subject, person.issuer))
      }
      const { token, jti, createdAt, expiresAt } = await people.issueToken({
        subject: person.subject,
        label,
        life: days * secondsPerDay,
        scope,
      })
      const access: IssuedAccess['access'] = {
        kind: 'token',
        id: jti,
        label,
        remote: false,
        scope,
        createdAt,
        expiresAt,
        endedAt: null,
        lastUsedAt: null,
        current: false,
      }
      return { token, access }
    },

    /** Revokes a token, session or passkey of the person at once. Throws NOT_FOUND. */
    endAccess(personId: number, kind: AccessKind, id: string): Promise<void> {
      return database.transact(() => {
        const now = new Date().toISOString()
        const end = kind === 'session' ? writing.endSession : writing.endPasskey
        const isEnded =
          kind === 'token'
            ? writing.endToken({ personId, id, at: now })
            : /^[1-9]\d{0,15}$/.test(id) && end({ personId, id: Number(id), at: now })
        if (!isEnded) throw new DomainError('NOT_FOUND', texts.noAccess(kind, id))
      })
    },
  }
}

export type PersonAccess = ReturnType<typeof createPersonAccess>
