import type { ApprovalStatement, Envelope } from '../../../../shared/contracts/attestations.ts'
import type { ReviewStatement } from '../../../../shared/contracts/evidence.ts'
import type { MirrorState } from '../../../../shared/contracts/mirror.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { readJson } from '../../../db/stored-text.ts'
import { texts } from '../releases.texts.ts'
import { mirrorRepository } from './mirror.repository.ts'

/** A key in `jwks.json`. */
interface PublicKey {
  kid: string
  x: string
}

/**
 * What a mirror serves in place of what this registry would sign itself: a mirror can't sign for the registry that it
 * copies. Another process may fill the mirror, so everything is read from the database for each request.
 */
export function createMirror(database: Database) {
  const repository = mirrorRepository(database.reader)

  const findEnvelope = (name: string, version: string): Envelope | null =>
    readJson('mirrored_releases.envelope', `${name} ${version}`, repository.findEnvelope(name, version))

  return {
    /** Null unless this registry is a mirror. */
    read(): (MirrorState & { problem: string | null }) | null {
      database.assertAvailable()
      const row = repository.find()
      return row && { of: row.of, updatedAt: row.updatedAt, problem: row.problem }
    },

    /** Throws MIRROR_READ_ONLY if this registry is a mirror. */
    assertWritable(): void {
      const row = repository.find()
      if (row !== null) throw new DomainError('MIRROR_READ_ONLY', texts.mirror.readOnly(row.of))
    },

    findEnvelope,

    /** The signed review of an approved release, exactly as the mirrored registry serves it; null if this is no mirror. */
    findReview(name: string, version: string): ReviewStatement | null {
      const envelope = findEnvelope(name, version)
      if (envelope === null) return null
      // Verified before it was stored, with fields of a newer registry, if any.
      const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as ApprovalStatement
      return statement.predicate.review
    },

    /** The own keys, but with those that signed the stored attestations. */
    replaceKeys(own: readonly PublicKey[]): readonly PublicKey[] {
      const row = repository.find()
      if (row === null) return own
      const keys = readJson('mirror.keys', 1, row.keys) ?? []
      return [...own.filter(({ kid }) => !kid.startsWith('attest-')), ...keys]
    },

    /** Null unless this registry is a mirror. */
    listRotations(): Envelope[] | null {
      const row = repository.find()
      return row && (readJson('mirror.rotations', 1, row.rotations) ?? [])
    },

    /** The digest of a release that was revoked before it could be copied. */
    findRevoked: (name: string, version: string): string | null => repository.findRevoked(name, version),
  }
}

export type Mirror = ReturnType<typeof createMirror>
