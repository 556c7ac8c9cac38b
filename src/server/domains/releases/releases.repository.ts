import type { ReleaseStatus, ReviewAction } from '../../../shared/contracts/releases.ts'
import { skeletonOf } from '../../../shared/findings/near-name.ts'
import { repository } from '../../db/repository.ts'
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

export interface DecisionRow {
  releaseId: number
  action: ReviewAction
  reason: string
  decidedBy: number
  decidedAt: string
}

const columns = `id, name, version, owner_id AS ownerId, sha256, size, status, created_at AS createdAt,
  review_reason AS reviewReason`

/** All SQL that changes releases, and the reads needed for it. */
export const releaseRepository = repository((sql, connection) => {
  const hasSubmitted = connection
    .prepare<[number, number], number>(
      'SELECT 1 FROM releases INDEXED BY releases_owner WHERE owner_id = ? LIMIT 1 OFFSET ?',
    )
    .pluck()
  const findManifest = connection
    .prepare<[number], Buffer>('SELECT manifest FROM release_manifests WHERE release_id = ?')
    .pluck()
  const owners = ownersRepository(connection)
  const addName = connection.prepare(
    'INSERT INTO skill_names (name, owner_id, skeleton) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const insertRelease = connection.prepare(
    `INSERT INTO releases (id, name, version, owner_id, sha256, size, status, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 'pending', ?)`,
  )
  const saveManifest = connection.prepare(
    `INSERT INTO release_manifests (release_id, manifest) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET manifest = excluded.manifest`,
  )
  const saveBody = connection.prepare(
    'INSERT INTO release_bodies (release_id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
  )
  const updateStatus = connection.prepare(
    'UPDATE releases SET status = ?, review_reason = ? WHERE id = ? AND status = ?',
  )
  const insertText = connection.prepare('INSERT INTO release_texts (release_id, text) VALUES (?, ?)')
  const insertGrams = connection.prepare('INSERT INTO release_grams (rowid, grams) VALUES (?, ?)')
  const deleteText = connection.prepare('DELETE FROM release_texts WHERE release_id = ?')
  const deleteGrams = connection.prepare('DELETE FROM release_grams WHERE rowid = ?')

  /** Notes the first submitter of a name, unless it is known. */
  const insertName = ({ name, ownerId }: Pick<NewRelease, 'name' | 'ownerId'>): void => {
    addName.run(name, ownerId, skeletonOf(name))
  }

  return {
    findByKey: sql.find<[name: string, version: string], ReleaseRow>(
      `SELECT ${columns} FROM releases WHERE name = ? AND version = ?`,
    ),
    findById: sql.find<[id: number], ReleaseRow>(`SELECT ${columns} FROM releases WHERE id = ?`),
    /** Whether the name exists and the person does not own it. */
    isNameTaken: owners.isTaken,
    /** Whether the owner has at least `count` submissions. Reads only an index. */
    hasSubmitted: (ownerId: number, count: number) => hasSubmitted.get(ownerId, count - 1) !== undefined,
    /** The times of the owner's newest submissions, newest first. */
    listSubmissionTimes: sql.listValues<[ownerId: number, limit: number], string>(
      'SELECT created_at FROM releases WHERE owner_id = ? ORDER BY id DESC LIMIT ?',
    ),
    getManifest(id: number): Buffer {
      const manifest = findManifest.get(id)
      if (manifest === undefined) throw new Error(`Release ${id} has no manifest`)
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
      owners.claim(row.name, row.ownerId, row.createdAt)
      const result = insertRelease.run(
        row.id ?? null,
        row.name,
        row.version,
        row.ownerId,
        row.sha256,
        row.size,
        row.createdAt,
      )
      const id = Number(result.lastInsertRowid)
      saveManifest.run(id, Buffer.from(manifest))
      return id
    },
    saveManifest: (id: number, manifest: string) => saveManifest.run(id, Buffer.from(manifest)),
    insertModule: sql.run<[id: number, facts: string]>(
      'INSERT INTO release_modules (release_id, facts) VALUES (?, ?)',
    ),
    saveBody: (id: number, body: string) => saveBody.run(id, Buffer.from(body)),
    /** Returns false if the release is not (or no longer) in the status `from`. */
    updateStatus: (id: number, from: ReleaseStatus, to: ReleaseStatus, reason: string) =>
      updateStatus.run(to, reason, id, from).changes === 1,
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
      insertText.run(id, text)
      insertGrams.run(id, grams)
    },
    deleteSearch(id: number): void {
      deleteText.run(id)
      deleteGrams.run(id)
    },
  }
})
