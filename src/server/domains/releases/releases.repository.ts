import type { ReleaseStatus } from '../../../shared/contracts/releases.ts'
import type { SkillManifest } from '../../../shared/contracts/manifest.ts'
import type { ReviewAction } from '../../../shared/contracts/decisions.ts'
import { skeletonOf } from '../../../shared/findings/near-name.ts'
import { repository } from '../../db/repository.ts'
import { damaged, readJson } from '../../db/stored-text.ts'
import { ownersRepository } from './owners/owners.repository.ts'

export interface ReleaseRow {
  id: number
  name: string
  version: string
  ownerId: number
  sha256: string
  size: number
  status: ReleaseStatus
  createdAt: string
  reviewReason: string | null
}

type NewRelease = Omit<ReleaseRow, 'id' | 'status' | 'reviewReason'> & { id?: number }

interface DecisionRow {
  releaseId: number
  action: ReviewAction
  reason: string
  decidedBy: number
  decidedAt: string
}

const columns = `id, name, version, owner_id AS ownerId, sha256, size, status, created_at AS createdAt,
  review_reason AS reviewReason`

/** The manifest of a release from its stored bytes. Throws PACKAGE_CORRUPT if they are damaged. */
export function readManifest(
  { id, name, version }: Pick<ReleaseRow, 'id' | 'name' | 'version'>,
  bytes: Buffer,
): SkillManifest {
  const manifest = readJson('release_manifests.manifest', id, bytes)
  if (manifest === null) throw damaged('PACKAGE_CORRUPT', `${name} ${version}`)
  return manifest
}

/** All SQL that changes releases, and the reads needed for it. */
export const releaseRepository = repository((sql, connection) => {
  const hasSubmitted = sql.exists<[ownerId: number, offset: number]>(
    'SELECT 1 FROM releases INDEXED BY releases_owner WHERE owner_id = ? LIMIT 1 OFFSET ?',
  )
  const findManifest = sql.findValue<[id: number], Buffer>(
    'SELECT manifest FROM release_manifests WHERE release_id = ?',
  )
  const owners = ownersRepository(connection)
  const findOwnerName = sql.findValue<[id: number], string | null>('SELECT name FROM people WHERE id = ?')
  const addName = sql.run<[name: string, ownerId: number, skeleton: string]>(
    'INSERT INTO skill_names (name, owner_id, skeleton) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const insertRelease = sql.insert<[row: Omit<NewRelease, 'id'> & { id: number | null }]>(`
    INSERT INTO releases (id, name, version, owner_id, sha256, size, status, created_at)
    VALUES (@id, @name, @version, @ownerId, @sha256, @size, 'pending', @createdAt)`)
  const saveManifest = sql.run<[id: number, manifest: Buffer]>(`
    INSERT INTO release_manifests (release_id, manifest) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET manifest = excluded.manifest`)
  const saveBody = sql.run<[id: number, body: Buffer]>(
    'INSERT INTO release_bodies (release_id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  )
  const insertText = sql.run<[id: number, text: string]>(
    'INSERT INTO release_texts (release_id, text) VALUES (?, ?)',
  )
  const insertGrams = sql.run<[id: number, grams: string]>(
    'INSERT INTO release_grams (rowid, grams) VALUES (?, ?)',
  )
  const deleteText = sql.run<[id: number]>('DELETE FROM release_texts WHERE release_id = ?')
  const deleteGrams = sql.run<[id: number]>('DELETE FROM release_grams WHERE rowid = ?')

  /** Notes the first submitter of a name, unless it is known. */
  const insertName = ({ name, ownerId }: Pick<NewRelease, 'name' | 'ownerId'>): void => {
    addName(name, ownerId, skeletonOf(name))
  }

  return {
    findByKey: sql.find<[name: string, version: string], ReleaseRow>(
      `SELECT ${columns} FROM releases WHERE name = ? AND version = ?`,
    ),
    findById: sql.find<[id: number], ReleaseRow>(`SELECT ${columns} FROM releases WHERE id = ?`),
    /** The publisher of a release. */
    getOwner: (id: number) => ({ id, name: findOwnerName(id) }),
    /** Whether the name exists and the person does not own it. */
    isNameTaken: owners.isTaken,
    /** Whether the owner has at least `count` submissions. Reads only an index. */
    hasSubmitted: (ownerId: number, count: number) => hasSubmitted(ownerId, count - 1),
    /** The times of the owner's newest submissions, newest first. */
    listSubmissionTimes: sql.listValues<[ownerId: number, limit: number], string>(
      'SELECT created_at FROM releases WHERE owner_id = ? ORDER BY id DESC LIMIT ?',
    ),
    getManifest(id: number): Buffer {
      const manifest = findManifest(id)
      if (manifest === null) throw new Error(`Release ${id} has no manifest`)
      return manifest
    },
    isDigestUsed: sql.exists<[sha256: string]>('SELECT 1 FROM releases WHERE sha256 = ? LIMIT 1'),
    listOfOwner: sql.list<[ownerId: number], ReleaseRow>(
      `SELECT ${columns} FROM releases WHERE owner_id = ?`,
    ),
    insertName,
    /** Returns its id: the given one, or the next. The first submitter of a name becomes its owner. */
    insertRelease(row: NewRelease, manifest: string): number {
      insertName(row)
      owners.claim({ name: row.name, person: row.ownerId, at: row.createdAt })
      const id = insertRelease({ ...row, id: row.id ?? null })
      saveManifest(id, Buffer.from(manifest))
      return id
    },
    saveManifest: (id: number, manifest: string) => saveManifest(id, Buffer.from(manifest)),
    insertModule: sql.run<[id: number, facts: string]>(
      'INSERT INTO release_modules (release_id, facts) VALUES (?, ?)',
    ),
    saveBody: (id: number, body: string) => saveBody(id, Buffer.from(body)),
    updateStatus: sql.run<[row: Pick<ReleaseRow, 'id' | 'status' | 'reviewReason'>]>(
      'UPDATE releases SET status = @status, review_reason = @reviewReason WHERE id = @id',
    ),
    /** Returns the id of the new decision. */
    insertDecision: sql.insert<[row: DecisionRow]>(`
      INSERT INTO decisions (release_id, action, reason, decided_by, decided_at)
      VALUES (@releaseId, @action, @reason, @decidedBy, @decidedAt)`),
    publishReason: sql.run<[decisionId: number]>('INSERT INTO published_reasons (decision_id) VALUES (?)'),
    /** The person who made the last decision on a release; null before the first decision. */
    findLastDecider: sql.findValue<[id: number], string>(`
      SELECT coalesce(p.name, p.subject) FROM releases r JOIN decisions d ON d.id = r.last_decision
      JOIN people p ON p.id = d.decided_by WHERE r.id = ?`),
    insertSearch(id: number, text: string, grams: string): void {
      insertText(id, text)
      insertGrams(id, grams)
    },
    deleteSearch(id: number): void {
      deleteText(id)
      deleteGrams(id)
    },
  }
})
