import { repository } from '../../db/repository.ts'

const tokenEnd = 'min(expires_at, coalesce(revoked_at, expires_at))'
const sessionEnd = 'min(expires_at, coalesce(ended_at, expires_at))'

/** A token, desk session or passkey with the time at which it ended or will end. */
export interface EndingRow<Id> {
  id: Id
  endsAt: string
}

/** Lists tokens, desk sessions and removed passkeys in batches, in key order, and deletes those that ended long ago. */
export const accessRetentionRepository = repository((sql) => ({
  listTokens: sql.list<[after: string, limit: number], EndingRow<string>>(
    `SELECT jti AS id, ${tokenEnd} AS endsAt FROM tokens WHERE jti > ? ORDER BY jti LIMIT ?`,
  ),
  /** Returns false if it did not end before that time. */
  deleteToken: sql.affects<[jti: string, before: string]>(
    `DELETE FROM tokens WHERE jti = ? AND ${tokenEnd} < ?`,
  ),
  listSessions: sql.list<[after: number, limit: number], EndingRow<number>>(
    `SELECT id, ${sessionEnd} AS endsAt FROM desk_sessions WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  /** Returns false if it did not end before that time, for instance because it has been used since it was listed. */
  deleteSession: sql.affects<[id: number, before: string]>(
    `DELETE FROM desk_sessions WHERE id = ? AND ${sessionEnd} < ?`,
  ),
  listPasskeys: sql.list<[after: number, limit: number], EndingRow<number>>(
    'SELECT id, removed_at AS endsAt FROM passkeys WHERE removed_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?',
  ),
  /** Returns false if it was not removed before that time. */
  deletePasskey: sql.affects<[id: number, before: string]>(
    'DELETE FROM passkeys WHERE id = ? AND removed_at < ?',
  ),
  /** Returns the number of deleted codes. */
  deleteCodes: sql.change<[before: string, limit: number]>(`
      DELETE FROM sign_in_codes WHERE code_hash IN
      (SELECT code_hash FROM sign_in_codes WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`),
  /** Returns the number of deleted exchanges of trusted publishers' tokens. */
  deleteExchanges: sql.change<[before: string, limit: number]>(`
      DELETE FROM token_exchanges WHERE jti IN
      (SELECT jti FROM token_exchanges WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`),
  /** Returns the number of deleted events of the audit log. */
  deleteRefused: sql.change<[before: string, limit: number]>(`
      DELETE FROM history WHERE id IN
      (SELECT id FROM history WHERE kind = 'session.refused' AND at < ? ORDER BY at LIMIT ?)`),
  /** Returns the number of events of the audit log whose address was deleted. */
  forgetAddresses: sql.change<[before: string, limit: number]>(`
      UPDATE history SET address = NULL WHERE id IN
      (SELECT id FROM history WHERE address IS NOT NULL AND at < ? ORDER BY at LIMIT ?)`),
}))
