import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import { repository } from '../../db/repository.ts'

type AccessRow = Omit<AccessEntry, 'remote' | 'current'> & { remote: 0 | 1 }

/** The maximum number listed per person; valid ones come first. */
const maxListed = 200

const tokens = `SELECT 'token' AS kind, jti AS id, label, 0 AS remote, scope, created_at AS createdAt, expires_at AS expiresAt,
    revoked_at AS endedAt, last_used_at AS lastUsedAt FROM tokens WHERE person_id = @personId`
const sessions = `SELECT 'session' AS kind, CAST(id AS TEXT) AS id, label, remote, NULL AS scope,
    created_at AS createdAt, expires_at AS expiresAt, ended_at AS endedAt, last_seen_at AS lastUsedAt FROM desk_sessions WHERE person_id = @personId`
const passkeys = `SELECT 'passkey' AS kind, CAST(id AS TEXT) AS id, label, 0 AS remote, NULL AS scope, created_at AS createdAt,
    NULL AS expiresAt, removed_at AS endedAt, last_used_at AS lastUsedAt FROM passkeys WHERE person_id = @personId`

/** All SQL about a person's tokens, desk sessions and passkeys. */
export const personAccessRepository = repository((sql) => ({
  /** Valid ones first, then newest first. */
  listAccess: sql.list<[{ personId: number; now: string }], AccessRow>(`
    SELECT * FROM (${tokens} UNION ALL ${sessions} UNION ALL ${passkeys})
    ORDER BY endedAt IS NOT NULL OR coalesce(expiresAt <= @now, FALSE), createdAt DESC, kind, id LIMIT ${maxListed}`),
  /** Returns false if the person has no such active token. */
  endToken: sql.affects<[{ personId: number; id: string; at: string }]>(
    'UPDATE tokens SET revoked_at = @at WHERE jti = @id AND person_id = @personId AND revoked_at IS NULL',
  ),
  endSession: sql.affects<[{ personId: number; id: number; at: string }]>(
    'UPDATE desk_sessions SET ended_at = @at WHERE id = @id AND person_id = @personId AND ended_at IS NULL',
  ),
  endPasskey: sql.affects<[{ personId: number; id: number; at: string }]>(
    'UPDATE passkeys SET removed_at = @at WHERE id = @id AND person_id = @personId AND removed_at IS NULL',
  ),
}))
