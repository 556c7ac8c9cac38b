import type { Person } from '../../../shared/contracts/people.ts'
import { repository } from '../../db/repository.ts'

/** A passkey that can sign in, with its person. */
export interface PasskeyRow extends Omit<Person, 'id'> {
  id: number
  credentialId: string
  /** COSE, in base64url. */
  publicKey: string
  /** The number of signatures that the authenticator reported last. */
  signatures: number
  personId: number
  personCreatedAt: string
}

interface NewPasskey extends Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'signatures' | 'personId'> {
  label: string
  createdAt: string
}

/** All SQL about passkeys, except the list of a person's access. */
export const passkeyRepository = repository((sql) => ({
  /** Null if the passkey or its person was removed. */
  findPasskey: sql.find<[credentialId: string], PasskeyRow>(`
      SELECT k.id, k.credential_id AS credentialId, k.public_key AS publicKey, k.signatures, p.id AS personId, p.issuer,
        p.subject, p.name, p.role, p.created_at AS personCreatedAt
      FROM passkeys k JOIN people p ON p.id = k.person_id
      WHERE k.credential_id = ? AND k.removed_at IS NULL AND p.removed_at IS NULL`),
  /** The ids of a person's passkeys. */
  listCredentials: sql.listValues<[personId: number], string>(
    'SELECT credential_id FROM passkeys WHERE person_id = ? AND removed_at IS NULL ORDER BY id',
  ),
  /** Also true for a removed passkey. */
  hasCredential: sql.exists<[credentialId: string]>('SELECT id FROM passkeys WHERE credential_id = ?'),
  /** Returns its id. */
  insertPasskey: sql.insert<[row: NewPasskey]>(`
      INSERT INTO passkeys (person_id, credential_id, public_key, signatures, label, created_at)
      VALUES (@personId, @credentialId, @publicKey, @signatures, @label, @createdAt)`),
  recordUse: sql.run<[{ id: number; signatures: number; at: string }]>(
    'UPDATE passkeys SET signatures = @signatures, last_used_at = @at WHERE id = @id',
  ),
}))
