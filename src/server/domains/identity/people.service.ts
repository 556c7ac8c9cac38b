import { publisherName } from '../../../shared/publisher-name.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { TokenScope } from '../../../shared/route.ts'
import type { Database } from '../../db/database.ts'
import type { SigningKey } from '../../storage/signing-key.ts'
import { identityRepository } from './identity.repository.ts'
import type { PersonRow, TokenRow } from './identity.repository.ts'
import { builtInIssuer, defaultTokenLife } from './identity.rules.ts'
import { texts } from './identity.texts.ts'
import { createTokenSigner, newToken } from './token-signer.service.ts'

export interface PersonChange {
  subject: string
  /** Unchanged if omitted. */
  name?: string | undefined
  /** If omitted, a new person is a developer and an existing one keeps their role. */
  role?: Role | undefined
}

export interface TokenRequest extends PersonChange {
  /** Seconds. */
  life?: number
  label?: string
  scope?: TokenScope | null
}

interface IssuedToken {
  /** The JWT. It is not stored. */
  token: string
  jti: string
  createdAt: string
  expiresAt: string
}

/** Called inside the transaction that changes a person's name, with the new publisher name of their releases. */
export type OnRename = (personId: number, publisher: string) => void

/** People of the built-in issuer and their tokens (rulings, "Identity"). */
export function createPeopleService(
  database: Database,
  signingKey: SigningKey,
  onRename: OnRename,
  clock = (): Date => new Date(),
) {
  const writing = identityRepository(database.writer)
  const reading = identityRepository(database.reader)
  const sign = createTokenSigner(signingKey)

  /** Inside a transaction: creates the person, or applies the given changes. */
  const savePerson = (change: PersonChange, now: string): PersonRow => {
    const existing = writing.findPerson(builtInIssuer, change.subject)
    if (existing === null) {
      const created = {
        issuer: builtInIssuer,
        subject: change.subject,
        name: change.name ?? null,
        role: change.role ?? 'developer',
        createdAt: now,
      }
      return { ...created, id: writing.insertPerson(created), removedAt: null }
    }
    const changed: PersonRow = {
      ...existing,
      name: change.name ?? existing.name,
      role: change.role ?? existing.role,
    }
    if (changed.role !== existing.role) assertNotLastAdministrator(existing)
    if (changed.role !== existing.role || changed.name !== existing.name) {
      writing.updatePerson(changed)
      if (changed.name !== existing.name) onRename(changed.id, publisherName(changed))
    }
    return changed
  }

  const assertNotLastAdministrator = (person: PersonRow): void => {
    const isOne = person.role === 'administrator' && person.removedAt === null
    if (!isOne || writing.countAdministrators() > 1) return
    throw new DomainError('LAST_ADMINISTRATOR', texts.lastAdministrator(person.subject))
  }

  const getActive = (subject: string): PersonRow => {
    const person = writing.findPerson(builtInIssuer, subject)
    if (person === null || person.removedAt !== null) {
      throw new DomainError('NOT_FOUND', texts.noPersonNamed(subject))
    }
    return person
  }

  const getActiveById = (id: number): PersonRow => {
    const person = writing.findPersonById(id)
    if (person === null || person.removedAt !== null) {
      throw new DomainError('NOT_FOUND', texts.noPerson(id))
    }
    return person
  }

  /** Inside a transaction. */
  const add = (person: PersonChange): PersonRow => {
    const existing = writing.findPerson(builtInIssuer, person.subject)
    if (existing !== null && existing.removedAt === null) {
      throw new DomainError('PERSON_EXISTS', texts.personExists(person.subject))
    }
    if (existing !== null) {
      writing.updatePerson({ ...existing, role: 'developer', removedAt: null })
    }
    return savePerson(person, clock().toISOString())
  }

  /** Inside a transaction. */
  const remove = (person: PersonRow): void => {
    assertNotLastAdministrator(person)
    const now = clock().toISOString()
    writing.updatePerson({ ...person, removedAt: now })
    writing.revokeTokensOf({ personId: person.id, at: now })
  }

  return {
    listPeople: () => reading.listPeople(),

    listTokens(subject: string): Promise<TokenRow[]> {
      return database.transact(() => writing.listTokens(getActive(subject).id))
    },

    /** Throws PERSON_EXISTS. A removed person with that subject is restored, without their old tokens. */
    addPerson(person: PersonChange): Promise<PersonRow> {
      return database.transact(() => add(person))
    },

    /** `addPerson` inside the caller's transaction. */
    addPersonInside: add,

    /** Throws NOT_FOUND, or LAST_ADMINISTRATOR if no administrator would remain. */
    changeRole(subject: string, role: Role): Promise<PersonRow> {
      return database.transact(() => {
        getActive(subject)
        return savePerson({ subject, role }, clock().toISOString())
      })
    },

    /** Throws NOT_FOUND, LAST_ADMINISTRATOR, or VALIDATION_FAILED for the person of an external issuer. */
    changePerson(id: number, change: Omit<PersonChange, 'subject'>): Promise<PersonRow> {
      return database.transact(() => {
        const person = getActiveById(id)
        if (person.issuer !== builtInIssuer) {
          throw new DomainError('VALIDATION_FAILED', texts.managedPerson(person.subject, person.issuer))
        }
        return savePerson({ ...change, subject: person.subject }, clock().toISOString())
      })
    },

    /** Revokes the person's tokens and desk sessions at once. Their releases stay. */
    removePerson(subject: string): Promise<void> {
      return database.transact(() => remove(getActive(subject)))
    },

    /** `removePerson` for a person of any issuer. */
    removePersonById(id: number): Promise<void> {
      return database.transact(() => remove(getActiveById(id)))
    },

    /** Takes effect at once. Throws NOT_FOUND for a token that is unknown or already revoked. */
    revokeToken(jti: string): Promise<void> {
      return database.transact(() => {
        if (!writing.revokeToken({ jti, at: clock().toISOString() })) {
          throw new DomainError('NOT_FOUND', texts.noSuchToken(jti))
        }
      })
    },

    /** Issues a session JWT (section 5.1). Creates the person if necessary. */
    async issueToken(request: TokenRequest): Promise<IssuedToken> {
      const issued = newToken(request.life ?? defaultTokenLife, clock())
      await database.transact(() => {
        const person = savePerson(request, issued.createdAt)
        if (person.removedAt !== null) {
          throw new DomainError('NOT_FOUND', texts.removedPerson(request.subject))
        }
        writing.insertToken({
          ...issued,
          personId: person.id,
          label: request.label ?? 'command line',
          scope: request.scope ?? null,
        })
      })
      return { token: await sign(request.subject, issued), ...issued }
    },
  }
}

export type PeopleService = ReturnType<typeof createPeopleService>
