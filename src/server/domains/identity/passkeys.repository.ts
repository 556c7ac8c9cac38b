import type { Role } from '../../../shared/contracts/people.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** A passkey that can sign in, with its person. */
export interface PasskeyRow {
  id: number
  credentialId: string
  /** COSE, in base64url. */
  publicKey: string
  /** The number of signatures that the authenticator reported last. */
  signatures: number
  personId: number
  issuer: string
  subject: string
  name: string | null
  role: Role
  personCreatedAt: string
}

export interface NewPasskey extends Pick<
  PasskeyRow,
  'credentialId' | 'publicKey' | 'signatures' | 'personId'
> {
  label: string
  createdAt: string
}

/** All SQL about passkeys, except the list of a person's access. */
export const passkeyRepository = preparedOnce((connection: Connection) => {
  const findPasskey = connection.prepare<[string], PasskeyRow>(
    `SELECT k.id, k.credential_id AS credentialId, k.public_key AS publicKey, k.signatures, p.id AS personId, p.issuer,
       p.subject, p.name, p.role, p.created_at AS personCreatedAt
     FROM passkeys k JOIN people p ON p.id = k.person_id
     WHERE k.credential_id = ? AND k.removed_at IS NULL AND p.removed_at IS NULL`,
  )
  const listCredentials = connection
    .prepare<[number], string>(
      'SELECT credential_id FROM passkeys WHERE person_id = ? AND removed_at IS NULL ORDER BY id',
    )
    .pluck()
  const findCreationOfPerson = connection
    .prepare<[number], string>('SELECT created_at FROM people WHERE id = ?')
    .pluck()
  const hasCredential = connection.prepare<[string], { id: number }>(
    'SELECT id FROM passkeys WHERE credential_id = ?',
  )
  const insertPasskey = connection.prepare(
    `INSERT INTO passkeys (person_id, credential_id, public_key, signatures, label, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const recordUse = connection.prepare('UPDATE passkeys SET signatures = ?, last_used_at = ? WHERE id = ?')

  return {
    /** Null if the passkey or its person was removed. */
    findPasskey: (credentialId: string) => findPasskey.get(credentialId) ?? null,
    /** The ids of a person's passkeys. */
    listCredentials: (personId: number) => listCredentials.all(personId),
    findCreationOfPerson: (personId: number) => findCreationOfPerson.get(personId) ?? null,
    /** Also true for a removed passkey. */
    hasCredential: (credentialId: string) => hasCredential.get(credentialId) !== undefined,
    /** Returns its id. */
    insertPasskey: (row: NewPasskey): number =>
      Number(
        insertPasskey.run(
          row.personId,
          row.credentialId,
          row.publicKey,
          row.signatures,
          row.label,
          row.createdAt,
        ).lastInsertRowid,
      ),
    recordUse: (id: number, signatures: number, at: string) => recordUse.run(signatures, at, id),
  }
})
