import { randomUUID } from 'node:crypto'
import { SignJWT, importJWK } from 'jose'
import { publisherName } from '../../../shared/contracts/people.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { TokenScope } from '../../../shared/route.ts'
import type { Database } from '../../db/database.ts'
import type { SigningKey } from '../../storage/signing-key.ts'
import { identityRepository } from './identity.repository.ts'
import type { PersonRow, TokenRow } from './identity.repository.ts'
import { builtInAudience, builtInIssuer, defaultTokenLife } from './identity.rules.ts'

export interface PersonChange {
  subject: string
  /** Without it the name stays as it is. */
  name?: string
  /** Without it a new person is a developer, and an existing one keeps the role. */
  role?: Role
}

export interface TokenOrder extends PersonChange {
  /** Seconds. */
  life?: number
  label?: string
  scope?: TokenScope
}

export interface IssuedToken {
  /** The JWT; it is kept nowhere. */
  token: string
  jti: string
  expiresAt: string
}

/** Called inside the transaction in which a person's name changed, with what their releases now show. */
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

  /** Inside a transaction: makes the person or changes what the order names. */
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
    if (changed.role !== existing.role) keepAnAdministrator(existing)
    if (changed.role !== existing.role || changed.name !== existing.name) {
      writing.updatePerson(changed)
      if (changed.name !== existing.name) onRename(changed.id, publisherName(changed))
    }
    return changed
  }

  const keepAnAdministrator = (person: PersonRow): void => {
    const isOne = person.role === 'administrator' && person.removedAt === null
    if (!isOne || writing.countAdministrators() > 1) return
    throw new DomainError(
      'LAST_ADMINISTRATOR',
      `${person.subject} is the only administrator. Make somebody else one first.`,
    )
  }

  const getActive = (subject: string): PersonRow => {
    const person = writing.findPerson(builtInIssuer, subject)
    if (person === null || person.removedAt !== null) {
      throw new DomainError(
        'NOT_FOUND',
        `There is no person "${subject}". See who there is with: people list`,
      )
    }
    return person
  }

  const getActiveById = (id: number): PersonRow => {
    const person = writing.findPersonById(id)
    if (person === null || person.removedAt !== null) {
      throw new DomainError('NOT_FOUND', `There is no person with the number ${id}.`)
    }
    return person
  }

  /** Inside a transaction. */
  const add = (person: PersonChange): PersonRow => {
    const existing = writing.findPerson(builtInIssuer, person.subject)
    if (existing !== null && existing.removedAt === null) {
      throw new DomainError('PERSON_EXISTS', `There is a person "${person.subject}" already.`)
    }
    if (existing !== null) {
      writing.updatePerson({ ...existing, role: 'developer', removedAt: null })
    }
    return savePerson(person, clock().toISOString())
  }

  /** Inside a transaction. */
  const remove = (person: PersonRow): void => {
    keepAnAdministrator(person)
    const now = clock().toISOString()
    writing.updatePerson({ ...person, removedAt: now })
    writing.revokeTokensOf(person.id, now)
  }

  return {
    listPeople: () => reading.listPeople(),

    listTokens(subject: string): Promise<TokenRow[]> {
      return database.transact(() => writing.listTokens(getActive(subject).id))
    },

    /** Throws PERSON_EXISTS. A removed person of that subject comes back, without the old tokens. */
    addPerson(person: PersonChange): Promise<PersonRow> {
      return database.transact(() => add(person))
    },

    /** `addPerson` as a part of the caller's own transaction. */
    addPersonInside: add,

    /** Throws NOT_FOUND, or LAST_ADMINISTRATOR where nobody would be left to review. */
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
          throw new DomainError(
            'VALIDATION_FAILED',
            `Name and role of ${person.subject} come from ${person.issuer}. Change them there.`,
          )
        }
        return savePerson({ ...change, subject: person.subject }, clock().toISOString())
      })
    },

    /** The person's tokens and desk sessions end at once; their releases stay. */
    removePerson(subject: string): Promise<void> {
      return database.transact(() => remove(getActive(subject)))
    },

    /** `removePerson` of whatever issuer. */
    removePersonById(id: number): Promise<void> {
      return database.transact(() => remove(getActiveById(id)))
    },

    /** Takes effect at once. Throws NOT_FOUND for a token that is unknown or revoked already. */
    revokeToken(jti: string): Promise<void> {
      return database.transact(() => {
        if (!writing.revokeToken(jti, clock().toISOString())) {
          throw new DomainError('NOT_FOUND', `There is no token ${jti} that could be revoked.`)
        }
      })
    },

    /** Issues a session JWT (section 5.1), making the person where there is none. */
    async issueToken(order: TokenOrder): Promise<IssuedToken> {
      const issuedAt = Math.floor(clock().getTime() / 1000)
      const expires = issuedAt + (order.life ?? defaultTokenLife)
      const jti = randomUUID()
      const expiresAt = new Date(expires * 1000).toISOString()
      await database.transact(() => {
        const now = new Date(issuedAt * 1000).toISOString()
        const person = savePerson(order, now)
        if (person.removedAt !== null) {
          throw new DomainError(
            'NOT_FOUND',
            `${order.subject} has been removed. Bring the person back with: people add ${order.subject}`,
          )
        }
        writing.insertToken({
          jti,
          personId: person.id,
          label: order.label ?? 'command line',
          scope: order.scope ?? null,
          createdAt: now,
          expiresAt,
        })
      })
      const key = await importJWK(signingKey, 'EdDSA')
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'EdDSA', kid: signingKey.kid, typ: 'JWT' })
        .setIssuer(builtInIssuer)
        .setAudience(builtInAudience)
        .setSubject(order.subject)
        .setJti(jti)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .sign(key)
      return { token, jti, expiresAt }
    },
  }
}

export type PeopleService = ReturnType<typeof createPeopleService>
