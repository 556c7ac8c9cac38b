import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { createUseRecorder } from './record-use.service.ts'
import { sessionRepository } from './sessions.repository.ts'
import type { SessionRow } from './sessions.repository.ts'
import {
  hashOf,
  isWithinLife,
  makeSecret,
  readSessionCookie,
  readSessionKey,
  removeSessionCookie,
  sessionEnd,
  sessionLabel,
  setSessionCookie,
} from './sessions.rules.ts'
import { texts } from './identity.texts.ts'

interface DeskSession {
  id: number
  person: Person
}

/** A request whose session is looked up: in the `Authorization` header, or in the cookie of the remote desk. */
export interface SessionRequest {
  remote: boolean
  headers: {
    authorization?: string | undefined
    cookie?: string | undefined
    'user-agent'?: string | undefined
  }
}

interface SessionParts {
  database: Database
  /** Whether people of this issuer may have sessions. False after the issuer has been removed from the settings. */
  knowsIssuer(issuer: string): boolean
}

/**
 * Desk sessions (rulings, "Desk without Electron"), each for the listener on which it was started. On the local one the page
 * holds a random key and sends it in the `Authorization` header; cookies are not read there, because a browser sends them to
 * every port of this computer and any of those ports can replace them (docs/decisions/011-desk-sessions.md). At the remote desk
 * the key is in a cookie that scripts can't read (decision 024). Only its hash is stored. The session and the person's role
 * are checked on every request.
 */
export function createSessions({ database, knowsIssuer }: SessionParts) {
  const reading = sessionRepository(database.reader)
  const writing = sessionRepository(database.writer)
  const recordUse = createUseRecorder(database)

  const findRow = ({ remote, headers }: SessionRequest): SessionRow | null => {
    const key = remote ? readSessionCookie(headers.cookie) : readSessionKey(headers.authorization)
    if (key === null) return null
    database.assertAvailable()
    const row = reading.findSession(hashOf(key))
    return row !== null && isRemote(row) === remote && isValid(row) ? row : null
  }

  const findById = (id: number): SessionRow | null => {
    database.assertAvailable()
    const row = reading.findSessionById(id)
    return row !== null && isValid(row) ? row : null
  }

  const isValid = (row: SessionRow): boolean =>
    row.endedAt === null &&
    row.removedAt === null &&
    row.expiresAt > new Date().toISOString() &&
    isWithinLife(isRemote(row), Date.parse(row.createdAt), Date.now()) &&
    knowsIssuer(row.issuer)

  const find = (request: SessionRequest): DeskSession | null => {
    const row = findRow(request)
    if (row === null) return null
    recordUse(row.id, row.lastSeenAt, (now) => {
      const end = sessionEnd(isRemote(row), Date.parse(row.createdAt), now.getTime())
      writing.recordUse({ id: row.id, at: now.toISOString(), expiresAt: new Date(end).toISOString() })
    })
    return { id: row.id, person: toPerson(row) }
  }

  const findPerson = (id: number): Person | null => {
    const row = findById(id)
    return row === null ? null : toPerson(row)
  }

  const present = <Found>(found: Found | null): Found => {
    if (found !== null) return found
    throw new DomainError('SESSION_MISSING', texts.notSignedIn)
  }

  return {
    /** The session of a request, or null. */
    find,

    /** The person of a session found earlier, or null once it has ended. Does not count as use of the session. */
    findPerson,

    /** Throws SESSION_MISSING, and so does `readPerson` later. A session has all rights of its person. */
    authenticate(request: SessionRequest) {
      const { id, person } = present(find(request))
      return { person, scope: null, session: id, readPerson: () => present(findPerson(id)) }
    },

    /** Inside a transaction: starts a session and returns its new key. At the remote desk, it replaces the browser's last one. */
    start(personId: number, request: SessionRequest, now: Date): string {
      const { remote, headers } = request
      const former = remote ? findRow(request) : null
      if (former !== null) writing.endSession({ id: former.id, at: now.toISOString() })
      const key = makeSecret()
      writing.insertSession({
        personId,
        tokenHash: hashOf(key),
        label: sessionLabel(headers['user-agent']),
        remote: Number(remote),
        createdAt: now.toISOString(),
        expiresAt: new Date(sessionEnd(remote, now.getTime(), now.getTime())).toISOString(),
      })
      return key
    },

    async end(id: number): Promise<void> {
      await database.transact(() => {
        writing.endSession({ id, at: new Date().toISOString() })
      })
    },
  }
}

/** The header that gives a browser the key of a new session, or removes that of an ended one. */
export const sessionCookie = (key: string | null): { 'Set-Cookie': string } => ({
  'Set-Cookie': key === null ? removeSessionCookie : setSessionCookie(key),
})

export type Sessions = ReturnType<typeof createSessions>

const isRemote = ({ remote }: SessionRow): boolean => remote === 1

function toPerson({ personId, issuer, subject, name, role }: SessionRow): Person {
  return { id: personId, issuer, subject, name, role }
}
