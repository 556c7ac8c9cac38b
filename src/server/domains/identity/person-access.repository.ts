import type { AccessKind } from '../../../shared/contracts/desk-people.ts'
import type { TokenScope } from '../../../shared/route.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** A token, a desk session or a passkey. */
export interface AccessRow {
  kind: AccessKind
  id: string
  label: string
  remote: 0 | 1
  scope: TokenScope | null
  createdAt: string
  /** Null for a passkey. */
  expiresAt: string | null
  endedAt: string | null
  lastUsedAt: string | null
}

/** The maximum number listed per person; valid ones come first. */
const maxListed = 200

const tokens = `SELECT 'token' AS kind, jti AS id, label, 0 AS remote, scope, created_at AS createdAt, expires_at AS expiresAt,
    revoked_at AS endedAt, last_used_at AS lastUsedAt FROM tokens WHERE person_id = @personId`
const sessions = `SELECT 'session' AS kind, CAST(id AS TEXT) AS id, label, remote, NULL AS scope,
    created_at AS createdAt, expires_at AS expiresAt, ended_at AS endedAt, last_seen_at AS lastUsedAt FROM desk_sessions WHERE person_id = @personId`
const passkeys = `SELECT 'passkey' AS kind, CAST(id AS TEXT) AS id, label, 0 AS remote, NULL AS scope, created_at AS createdAt,
    NULL AS expiresAt, removed_at AS endedAt, last_used_at AS lastUsedAt FROM passkeys WHERE person_id = @personId`

/** All SQL about a person's tokens, desk sessions and passkeys. */
export const personAccessRepository = preparedOnce((connection: Connection) => {
  const listAccess = connection.prepare<[{ personId: number; now: string }], AccessRow>(
    `SELECT * FROM (${tokens} UNION ALL ${sessions} UNION ALL ${passkeys})
     ORDER BY endedAt IS NOT NULL OR coalesce(expiresAt <= @now, FALSE), createdAt DESC, kind, id LIMIT ${maxListed}`,
  )
  const endToken = connection.prepare(
    'UPDATE tokens SET revoked_at = ? WHERE jti = ? AND person_id = ? AND revoked_at IS NULL',
  )
  const endSession = connection.prepare(
    'UPDATE desk_sessions SET ended_at = ? WHERE id = ? AND person_id = ? AND ended_at IS NULL',
  )
  const endPasskey = connection.prepare(
    'UPDATE passkeys SET removed_at = ? WHERE id = ? AND person_id = ? AND removed_at IS NULL',
  )

  return {
    /** Valid ones first, then newest first. */
    listAccess: (personId: number, now: string) => listAccess.all({ personId, now }),
    /** Returns false if the person has no such active token. */
    endToken: (personId: number, jti: string, at: string) => endToken.run(at, jti, personId).changes === 1,
    endSession: (personId: number, id: number, at: string) => endSession.run(at, id, personId).changes === 1,
    endPasskey: (personId: number, id: number, at: string) => endPasskey.run(at, id, personId).changes === 1,
  }
})
