import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import type { DeskState } from '../../../shared/contracts/desk-session.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { PeopleService } from '../identity/people.service.ts'
import { createDeskSessionRepository } from './desk-session.repository.ts'
import { createFailureLimit, hashOf, toDeskPerson } from './desk-session.rules.ts'
import type { DeskSessions, SessionHeaders } from './desk-session.service.ts'

export interface SignInParts {
  database: Database
  sessions: DeskSessions
  people: PeopleService
  version: string
  dataFolder: string
}

export interface SignedIn {
  person: DeskPerson
  /** For `Set-Cookie`. */
  cookie: string
}

export interface FirstRun {
  code: string
  subject: string
  name: string
}

/** Failed attempts in a minute, of everybody together: there is one computer at the other end. */
const failuresAMinute = 20

/** One sentence for everything that is wrong with a code: it tells an attacker nothing. */
const invalidCode = (): DomainError =>
  new DomainError(
    'CODE_INVALID',
    'This link has been used, has expired, or is none of this desk. Get a new one with: skilldock desk',
  )

/** Exchanges sign-in codes for desk sessions, each once and within five minutes. */
export function createSignIn({ database, sessions, people, version, dataFolder }: SignInParts) {
  const reading = createDeskSessionRepository(database.reader)
  const writing = createDeskSessionRepository(database.writer)
  const limit = createFailureLimit(failuresAMinute, 60_000)

  /** Runs `work` in a transaction that uses up the code; a refusal leaves the code as it was. */
  const exchange = async <T>(code: string, work: (personId: number | null, now: Date) => T): Promise<T> => {
    const wait = limit.wait(performance.now())
    if (wait !== null) {
      throw new DomainError('TOO_MANY_REQUESTS', `Too many wrong codes. Try again in ${wait} s.`, {
        retryAfter: wait,
      })
    }
    try {
      const result = await database.transact(() => {
        const now = new Date()
        const hash = hashOf(code)
        const found = writing.findCode(hash, now.toISOString())
        if (found === undefined) throw invalidCode()
        writing.useCode(hash, now.toISOString())
        return { of: work(found.personId, now) }
      })
      return result.of
    } catch (error) {
      if (error instanceof DomainError && error.code === 'CODE_INVALID') limit.note(performance.now())
      throw error
    }
  }

  return {
    getState(headers: SessionHeaders): DeskState {
      database.assertAvailable()
      const person = sessions.find(headers)?.person
      const needsAdministrator = reading.listAdministrators().length === 0
      return {
        person: person === undefined ? null : toDeskPerson(person),
        needsAdministrator,
        version,
        dataFolder: needsAdministrator ? dataFolder : null,
      }
    },

    /** Throws CODE_INVALID or TOO_MANY_REQUESTS. */
    signIn(code: string, headers: SessionHeaders): Promise<SignedIn> {
      return exchange(code, (personId, now) => {
        const person = personId === null ? null : writing.findSigner(personId)
        if (person === null) throw invalidCode()
        return { person: toDeskPerson(person), cookie: sessions.start(person.id, headers, now) }
      })
    },

    /** Throws CODE_INVALID, also where there is an administrator by now, TOO_MANY_REQUESTS or PERSON_EXISTS. */
    createFirstAdministrator({ code, subject, name }: FirstRun, headers: SessionHeaders): Promise<SignedIn> {
      return exchange(code, (personId, now) => {
        if (personId !== null || writing.listAdministrators().length > 0) throw invalidCode()
        const person = people.addPersonInside({ subject, name, role: 'administrator' })
        return { person: toDeskPerson(person), cookie: sessions.start(person.id, headers, now) }
      })
    },
  }
}

export type SignIn = ReturnType<typeof createSignIn>
