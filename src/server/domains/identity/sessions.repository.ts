import type { Role } from '../../../shared/contracts/people.ts'
import { repository } from '../../db/repository.ts'
import { codeLifeMs } from './sessions.rules.ts'

/** A desk session with its person. */
export interface SessionRow {
  id: number
  remote: 0 | 1
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  endedAt: string | null
  personId: number
  issuer: string
  subject: string
  name: string | null
  role: Role
  removedAt: string | null
}

/** A person who can get a sign-in link. */
export interface SignerRow {
  id: number
  issuer: string
  subject: string
  name: string | null
  role: Role
}

const session = `SELECT s.id, s.remote, s.created_at AS createdAt, s.last_seen_at AS lastSeenAt, s.expires_at AS expiresAt,
    s.ended_at AS endedAt,
    p.id AS personId, p.issuer, p.subject, p.name, p.role, p.removed_at AS removedAt
  FROM desk_sessions s JOIN people p ON p.id = s.person_id`
const signer = 'id, issuer, subject, name, role'

/** All SQL about desk sessions and sign-in codes. */
export const sessionRepository = repository((sql, connection) => {
  const insertSession = connection.prepare(
    `INSERT INTO desk_sessions (person_id, token_hash, label, remote, created_at, last_seen_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const recordUse = connection.prepare(
    'UPDATE desk_sessions SET last_seen_at = ?, expires_at = ? WHERE id = ? AND ended_at IS NULL',
  )
  const endSession = connection.prepare(
    'UPDATE desk_sessions SET ended_at = ? WHERE id = ? AND ended_at IS NULL',
  )
  const findCode = connection.prepare<[string, string, string], { personId: number | null }>(
    `SELECT person_id AS personId FROM sign_in_codes
     WHERE code_hash = ? AND used_at IS NULL AND expires_at > ? AND expires_at <= ?`,
  )
  const useCode = connection.prepare(
    'UPDATE sign_in_codes SET used_at = ? WHERE code_hash = ? AND used_at IS NULL',
  )

  return {
    findSession: sql.find<[tokenHash: string], SessionRow>(`${session} WHERE s.token_hash = ?`),
    findSessionById: sql.find<[id: number], SessionRow>(`${session} WHERE s.id = ?`),
    insertSession: (row: {
      personId: number
      tokenHash: string
      label: string
      remote: boolean
      createdAt: string
      expiresAt: string
    }) =>
      insertSession.run(
        row.personId,
        row.tokenHash,
        row.label,
        Number(row.remote),
        row.createdAt,
        row.createdAt,
        row.expiresAt,
      ),
    recordUse: (id: number, at: string, expiresAt: string) => recordUse.run(at, expiresAt, id),
    endSession: (id: number, at: string) => endSession.run(at, id),
    insertCode: sql.run<[codeHash: string, personId: number | null, expiresAt: string]>(
      'INSERT INTO sign_in_codes (code_hash, person_id, expires_at) VALUES (?, ?, ?)',
    ),
    deleteOldCodes: sql.run<[before: string]>('DELETE FROM sign_in_codes WHERE expires_at < ?'),
    /**
     * The person of a valid code, null for the first-run code; undefined if the code is invalid. A code that would
     * outlive a new one is invalid, because it was created while the clock was ahead.
     */
    findCode: (codeHash: string, now: Date) =>
      findCode.get(codeHash, now.toISOString(), new Date(now.getTime() + codeLifeMs).toISOString()),
    useCode: (codeHash: string, at: string) => useCode.run(at, codeHash),
    hasPeople: sql.exists<[]>('SELECT id FROM people LIMIT 1'),
    listAdministrators: sql.list<[], SignerRow>(
      `SELECT ${signer} FROM people WHERE role = 'administrator' AND removed_at IS NULL ORDER BY id`,
    ),
    findSigner: sql.find<[id: number], SignerRow>(
      `SELECT ${signer} FROM people WHERE id = ? AND removed_at IS NULL`,
    ),
    listSigners: sql.list<[subject: string], SignerRow>(
      `SELECT ${signer} FROM people WHERE subject = ? AND removed_at IS NULL ORDER BY id`,
    ),
  }
})
