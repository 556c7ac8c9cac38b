import type { Person } from '../../../shared/contracts/people.ts'
import type { TokenScope } from '../../../shared/route.ts'
import { repository } from '../../db/repository.ts'

export interface PersonRow extends Person {
  createdAt: string
  removedAt: string | null
}

type NewPerson = Omit<PersonRow, 'id' | 'removedAt'> & { id?: number }

export interface TokenRow {
  jti: string
  personId: number
  label: string
  scope: TokenScope | null
  createdAt: string
  expiresAt: string
  revokedAt: string | null
  lastUsedAt: string | null
}

const personColumns = 'id, issuer, subject, name, role, created_at AS createdAt, removed_at AS removedAt'
const tokenColumns = `jti, person_id AS personId, label, scope, created_at AS createdAt, expires_at AS expiresAt,
  revoked_at AS revokedAt, last_used_at AS lastUsedAt`

export function toPerson(row: PersonRow): Person {
  return { id: row.id, issuer: row.issuer, subject: row.subject, name: row.name, role: row.role }
}

/** All SQL about people and tokens. */
export const identityRepository = repository((sql) => {
  const insertPerson = sql.insert<[person: Omit<NewPerson, 'id'> & { id: number | null }]>(`
    INSERT INTO people (id, issuer, subject, name, role, created_at)
    VALUES (@id, @issuer, @subject, @name, @role, @createdAt)`)

  return {
    findPerson: sql.find<[issuer: string, subject: string], PersonRow>(
      `SELECT ${personColumns} FROM people WHERE issuer = ? AND subject = ?`,
    ),
    findPersonById: sql.find<[id: number], PersonRow>(`SELECT ${personColumns} FROM people WHERE id = ?`),
    listPeople: sql.list<[], PersonRow>(
      `SELECT ${personColumns} FROM people ORDER BY removed_at IS NOT NULL, subject, id`,
    ),
    countAdministrators: sql.count<[]>(
      "SELECT count(*) FROM people WHERE role = 'administrator' AND removed_at IS NULL",
    ),
    findToken: sql.find<[jti: string], TokenRow>(`SELECT ${tokenColumns} FROM tokens WHERE jti = ?`),
    listTokens: sql.list<[personId: number], TokenRow>(
      `SELECT ${tokenColumns} FROM tokens WHERE person_id = ? ORDER BY created_at DESC, jti`,
    ),
    /** Returns their id: the given one, or the next. */
    insertPerson: (person: NewPerson) => insertPerson({ ...person, id: person.id ?? null }),
    updatePerson: sql.run<[row: Pick<PersonRow, 'id' | 'name' | 'role' | 'removedAt'>]>(
      'UPDATE people SET name = @name, role = @role, removed_at = @removedAt WHERE id = @id',
    ),
    insertToken: sql.run<[row: Omit<TokenRow, 'revokedAt' | 'lastUsedAt'>]>(`
      INSERT INTO tokens (jti, person_id, label, scope, created_at, expires_at)
      VALUES (@jti, @personId, @label, @scope, @createdAt, @expiresAt)`),
    revokeToken: sql.affects<[{ jti: string; at: string }]>(
      'UPDATE tokens SET revoked_at = @at WHERE jti = @jti AND revoked_at IS NULL',
    ),
    revokeTokensOf: sql.change<[{ personId: number; at: string }]>(
      'UPDATE tokens SET revoked_at = @at WHERE person_id = @personId AND revoked_at IS NULL',
    ),
    touchToken: sql.run<[{ jti: string; at: string }]>(
      'UPDATE tokens SET last_used_at = @at WHERE jti = @jti',
    ),
  }
})
