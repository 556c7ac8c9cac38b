import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

const tokenEnd = 'min(expires_at, coalesce(revoked_at, expires_at))'
const sessionEnd = 'min(expires_at, coalesce(ended_at, expires_at))'

/** A token, desk session or passkey with the time at which it ended or will end. */
export interface EndingRow<Id> {
  id: Id
  endsAt: string
}

/** Lists tokens, desk sessions and removed passkeys in batches, in key order, and deletes those that ended long ago. */
export const accessRetentionRepository = preparedOnce((connection: Connection) => {
  const listTokens = connection.prepare<[string, number], EndingRow<string>>(
    `SELECT jti AS id, ${tokenEnd} AS endsAt FROM tokens WHERE jti > ? ORDER BY jti LIMIT ?`,
  )
  const deleteToken = connection.prepare<[string, string]>(
    `DELETE FROM tokens WHERE jti = ? AND ${tokenEnd} < ?`,
  )
  const listSessions = connection.prepare<[number, number], EndingRow<number>>(
    `SELECT id, ${sessionEnd} AS endsAt FROM desk_sessions WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const deleteSession = connection.prepare<[number, string]>(
    `DELETE FROM desk_sessions WHERE id = ? AND ${sessionEnd} < ?`,
  )
  const listPasskeys = connection.prepare<[number, number], EndingRow<number>>(
    'SELECT id, removed_at AS endsAt FROM passkeys WHERE removed_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?',
  )
  const deletePasskey = connection.prepare<[number, string]>(
    'DELETE FROM passkeys WHERE id = ? AND removed_at < ?',
  )
  const deleteCodes = connection.prepare<[string, number]>(
    `DELETE FROM sign_in_codes WHERE code_hash IN
       (SELECT code_hash FROM sign_in_codes WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`,
  )
  const deleteExchanges = connection.prepare<[string, number]>(
    `DELETE FROM token_exchanges WHERE jti IN
       (SELECT jti FROM token_exchanges WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`,
  )
  const deleteRefused = connection.prepare<[string, number]>(
    `DELETE FROM history WHERE id IN
       (SELECT id FROM history WHERE kind = 'session.refused' AND at < ? ORDER BY at LIMIT ?)`,
  )
  const forgetAddresses = connection.prepare<[string, number]>(
    `UPDATE history SET address = NULL WHERE id IN
       (SELECT id FROM history WHERE address IS NOT NULL AND at < ? ORDER BY at LIMIT ?)`,
  )

  return {
    listTokens: (after: string, limit: number) => listTokens.all(after, limit),
    /** Returns false if it did not end before that time. */
    deleteToken: (jti: string, before: string) => deleteToken.run(jti, before).changes > 0,
    listSessions: (after: number, limit: number) => listSessions.all(after, limit),
    /** Returns false if it did not end before that time, for instance because it has been used since it was listed. */
    deleteSession: (id: number, before: string) => deleteSession.run(id, before).changes > 0,
    listPasskeys: (after: number, limit: number) => listPasskeys.all(after, limit),
    /** Returns false if it was not removed before that time. */
    deletePasskey: (id: number, before: string) => deletePasskey.run(id, before).changes > 0,
    /** Returns the number of deleted codes. */
    deleteCodes: (before: string, limit: number) => deleteCodes.run(before, limit).changes,
    /** Returns the number of deleted exchanges of trusted publishers' tokens. */
    deleteExchanges: (before: string, limit: number) => deleteExchanges.run(before, limit).changes,
    /** Returns the number of deleted events of the audit log. */
    deleteRefused: (before: string, limit: number) => deleteRefused.run(before, limit).changes,
    /** Returns the number of events of the audit log whose address was deleted. */
    forgetAddresses: (before: string, limit: number) => forgetAddresses.run(before, limit).changes,
  }
})
