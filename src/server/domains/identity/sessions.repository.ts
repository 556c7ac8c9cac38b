import type { Person } from '../../../shared/contracts/people.ts'
import { repository } from '../../db/repository.ts'
import { codeLifeMs } from './sessions.rules.ts'

/** A desk session with its person. */
export interface SessionRow extends Omit<Person, 'id'> {
  id: number
  remote: 0 | 1
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  endedAt: string | null
  personId: number
  removedAt: string | null
}

interface NewSession extends Pick<SessionRow, 'personId' | 'createdAt' | 'expiresAt'> {
  tokenHash: string
  label: string
  /** 0 or 1. */
  remote: number
}

const session = `SELECT s.id, s.remote, s.created_at AS createdAt, s.last_seen_at AS lastSeenAt, s.expires_at AS expiresAt,
    s.ended_at AS endedAt,
    p.id AS personId, p.issuer, p.subject, p.name, p.role, p.removed_at AS removedAt
  FROM desk_sessions s JOIN people p ON p.id = s.person_id`
/** People who can get a sign-in link. */
const signer = 'id, issuer, subject, name, role'

/** All SQL about desk sessions and sign-in codes. */
export const sessionRepository = repository((sql) => {
  const findCode = sql.find<[string, string, string], { personId: number | null }>(`
    SELECT person_id AS personId FROM sign_in_codes
    WHERE code_hash = ? AND used_at IS NULL AND expires_at > ? AND expires_at <= ?`)

  return {
    findSession: sql.find<[tokenHash: string], SessionRow>(`${session} WHERE s.token_hash = ?`),
    findSessionById: sql.find<[id: number], SessionRow>(`${session} WHERE s.id = ?`),
    insertSession: sql.run<[session: NewSession]>(`
      INSERT INTO desk_sessions (person_id, token_hash, label, remote, created_at, last_seen_at, expires_at)
      VALUES (@personId, @tokenHash, @label, @remote, @createdAt, @createdAt, @expiresAt)`),
    recordUse: sql.run<[{ id: number; at: string; expiresAt: string }]>(
      'UPDATE desk_sessions SET last_seen_at = @at, expires_at = @expiresAt WHERE id = @id AND ended_at IS NULL',
    ),
    endSession: sql.run<[{ id: number; at: string }]>(
      'UPDATE desk_sessions SET ended_at = @at WHERE id = @id AND ended_at IS NULL',
    ),
    insertCode: sql.run<[codeHash: string, personId: number | null, expiresAt: string]>(
      'INSERT INTO sign_in_codes (code_hash, person_id, expires_at) VALUES (?, ?, ?)',
    ),
    deleteOldCodes: sql.run<[before: string]>('DELETE FROM sign_in_codes WHERE expires_at < ?'),
    /**
     * The person of a valid code, who is null for the first-run code; null if the code is invalid. A code that would
     * outlive a new one is invalid, because it was created while the clock was ahead.
     */
    findCode: (codeHash: string, now: Date) =>
      findCode(codeHash, now.toISOString(), new Date(now.getTime() + codeLifeMs).toISOString()),
    useCode: sql.run<[{ codeHash: string; at: string }]>(
      'UPDATE sign_in_codes SET used_at = @at WHERE code_hash = @codeHash AND used_at IS NULL',
    ),
    hasPeople: sql.exists<[]>('SELECT id FROM people LIMIT 1'),
    listAdministrators: sql.list<[], Person>(
      `SELECT ${signer} FROM people WHERE role = 'administrator' AND removed_at IS NULL ORDER BY id`,
    ),
    findSigner: sql.find<[id: number], Person>(
      `SELECT ${signer} FROM people WHERE id = ? AND removed_at IS NULL`,
    ),
    listSigners: sql.list<[subject: string], Person>(
      `SELECT ${signer} FROM people WHERE subject = ? AND removed_at IS NULL ORDER BY id`,
    ),
  }
})
