import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { sessionRepository } from './sessions.repository.ts'
import type { SessionRow } from './sessions.repository.ts'
import {
  hashOf,
  makeSecret,
  useUpdateMs,
  readSessionKey,
  sessionLabel,
  sessionLifeMs,
} from './sessions.rules.ts'
import { texts } from './identity.texts.ts'

export interface DeskSession {
  id: number
  person: Person
}

/** The headers that identify a session. */
export interface SessionHeaders {
  authorization?: string | undefined
  'user-agent'?: string | undefined
}

export interface SessionParts {
  database: Database
  /** Whether people of this issuer may have sessions. False after the issuer has been removed from the settings. */
  knowsIssuer(issuer: string): boolean
}

/**
 * Desk sessions (rulings, "Desk without Electron"): the page holds a random key and sends it in the `Authorization`
 * header. Only its hash is stored. Cookies are never read, because a browser sends them to every port of this computer
 * and any of those ports can replace them (docs/decisions/011-desk-sessions.md). The session and the person's role are
 * checked on every request.
 */
export function createSessions({ database, knowsIssuer }: SessionParts) {
  const reading = sessionRepository(database.reader)
  const writing = sessionRepository(database.writer)
  const updating = new Set<number>()

  const findRow = (headers: SessionHeaders): SessionRow | null => {
    const key = readSessionKey(headers.authorization)
    if (key === null) return null
    database.assertAvailable()
    const row = reading.findSession(hashOf(key))
    return row !== null && isValid(row) ? row : null
  }

  const isValid = (row: SessionRow): boolean =>
    row.endedAt === null &&
    row.removedAt === null &&
    row.expiresAt > new Date().toISOString() &&
    knowsIssuer(row.issuer)

  /** Records the use at most once a minute per session, without delaying or failing the request. */
  const recordUse = (row: SessionRow): void => {
    const now = Date.now()
    // A negative age means that the clock was ahead; recording the use also corrects the session's expiry.
    const age = now - Date.parse(row.lastSeenAt)
    if ((age >= 0 && age < useUpdateMs) || updating.has(row.id)) return
    updating.add(row.id)
    const expiresAt = new Date(now + sessionLifeMs).toISOString()
    void database
      .transact(() => {
        writing.recordUse(row.id, new Date(now).toISOString(), expiresAt)
      })
      .catch(() => {})
      .finally(() => updating.delete(row.id))
  }

  const find = (headers: SessionHeaders): DeskSession | null => {
    const row = findRow(headers)
    if (row === null) return null
    recordUse(row)
    return { id: row.id, person: toPerson(row) }
  }

  return {
    /** The session of a request, or null. */
    find,

    /** The person of a stream's session, or null once it has ended. Does not count as use of the session. */
    findPerson(headers: SessionHeaders): Person | null {
      const row = findRow(headers)
      return row === null ? null : toPerson(row)
    },

    /** Whether a session found earlier is still valid. */
    isValid(id: number): boolean {
      database.assertAvailable()
      const row = reading.findSessionById(id)
      return row !== null && isValid(row)
    },

    /** Throws SESSION_MISSING. A session has all rights of its person. */
    authenticate(headers: SessionHeaders): { person: Person; scope: null } {
      const session = find(headers)
      if (session !== null) return { person: session.person, scope: null }
      throw new DomainError('SESSION_MISSING', texts.notSignedIn)
    },

    /** Inside a transaction: starts a session and returns its key. */
    start(personId: number, headers: SessionHeaders, now: Date): string {
      const key = makeSecret()
      writing.insertSession({
        personId,
        tokenHash: hashOf(key),
        label: sessionLabel(headers['user-agent']),
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + sessionLifeMs).toISOString(),
      })
      return key
    },

    /** Ends the session of the request. */
    async end(headers: SessionHeaders): Promise<void> {
      const row = findRow(headers)
      if (row === null) return
      await database.transact(() => {
        writing.endSession(row.id, new Date().toISOString())
      })
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

function toPerson({ personId, issuer, subject, name, role }: SessionRow): Person {
  return { id: personId, issuer, subject, name, role }
}
