import { z } from 'zod'
import { imageSchema, imageTypes, renditionSchema, renditionSteps } from '../../../shared/contracts/images.ts'
import type { Image, ImageType, Rendition } from '../../../shared/contracts/images.ts'
import { repository } from '../../db/repository.ts'
import { readStored } from '../../db/stored-text.ts'

type ImageUseKind = 'post' | 'project'

interface ImageRow {
  sha256: string
  type: ImageType
  width: number
  height: number
  frames: number
  size: number
  hasPosition: number
  uploadedAt: string
  uploadedBy: string | null
}

interface NewImage {
  image: Omit<Image, 'uploadedBy' | 'renditions'>
  /** Id of the editor; null for an anonymous upload. */
  uploadedBy: number | null
  renditions: readonly Rendition[]
}

export interface StoredImage {
  sha256: string
  type: ImageType
  size: number
}

interface AnonymousBytes {
  bytes: number
  /** Upload time of the oldest unused image, which the sweep deletes first; null if all are used. */
  oldest: string | null
}

const columns = `i.sha256, i.type, i.width, i.height, i.frames, i.size, i.has_position AS hasPosition,
  i.uploaded_at AS uploadedAt,
  CASE WHEN i.uploaded_by IS NULL THEN NULL ELSE coalesce(p.name, 'Developer ' || p.id) END AS uploadedBy`
const from = 'FROM images i LEFT JOIN people p ON p.id = i.uploaded_by'

/** All SQL about images, their renditions and their uses. */
export const imageRepository = repository((sql) => {
  const find = sql.find<[string], ImageRow>(`SELECT ${columns} ${from} WHERE i.sha256 = ?`)
  const listRenditions = sql.list<[string], Rendition>(`
    SELECT step, sha256, type, width, height, size FROM renditions WHERE image = ?
    ORDER BY instr('${renditionSteps.join(' ')}', step)`)
  const findUpload = sql.find<[string], StoredImage>('SELECT sha256, type, size FROM images WHERE sha256 = ?')
  const findRendition = sql.find<[string], StoredImage>(
    'SELECT sha256, type, size FROM renditions WHERE sha256 = ? LIMIT 1',
  )
  const clearUses = sql.run<[ImageUseKind, number]>('DELETE FROM image_uses WHERE kind = ? AND owner_id = ?')
  const addUse = sql.run<[ImageUseKind, number, string]>(`
    INSERT OR IGNORE INTO image_uses (image, kind, owner_id)
    SELECT i.sha256, ?, ? FROM images i WHERE i.sha256 = ?`)

  const insert = sql.run<[string, string, number, number, number, number, number, string, number | null]>(`
    INSERT INTO images (sha256, type, width, height, frames, size, has_position, uploaded_at, uploaded_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING`)
  const clearRenditions = sql.run<[string]>('DELETE FROM renditions WHERE image = ?')
  const insertRendition = sql.run<[string, string, string, string, number, number, number]>(
    'INSERT INTO renditions (image, step, sha256, type, width, height, size) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const takeOver = sql.run<[number, string]>(
    'UPDATE images SET uploaded_by = ? WHERE sha256 = ? AND uploaded_by IS NULL',
  )
  const refresh = sql.run<[string, string]>(
    'UPDATE images SET uploaded_at = ? WHERE sha256 = ? AND uploaded_by IS NULL',
  )

  /** Null for a damaged row. Damaged renditions are left out. */
  const toImage = (row: ImageRow): Image | null =>
    readStored(imageSchema, 'images', row.sha256, {
      ...row,
      hasPosition: row.hasPosition === 1,
      renditions: listRenditions(row.sha256).flatMap(
        (copy) => readStored(renditionSchema, 'renditions', `${row.sha256} ${copy.step}`, copy) ?? [],
      ),
    })

  return {
    find(sha256: string): Image | null {
      const row = find(sha256)
      return row === null ? null : toImage(row)
    },
    findUpload: (sha256: string) => served('images', findUpload(sha256)),
    findRendition: (sha256: string) => served('renditions', findRendition(sha256)),
    /** For an image that already exists, replaces only its renditions. */
    insert({ image, uploadedBy, renditions }: NewImage): void {
      insert(
        image.sha256,
        image.type,
        image.width,
        image.height,
        image.frames,
        image.size,
        image.hasPosition ? 1 : 0,
        image.uploadedAt,
        uploadedBy,
      )
      clearRenditions(image.sha256)
      for (const { step, sha256, type, width, height, size } of renditions) {
        insertRendition(image.sha256, step, sha256, type, width, height, size)
      }
    },
    /** When an anonymous upload is uploaded again: assigns it to the editor, or resets its age for the sweep. */
    renew(sha256: string, uploadedBy: number | null, now: string): void {
      if (uploadedBy === null) refresh(now, sha256)
      else takeOver(uploadedBy, sha256)
    },
    isUsed: sql.exists<[sha256: string]>('SELECT 1 AS used FROM image_uses WHERE image = ? LIMIT 1'),
    remove: sql.affects<[sha256: string]>('DELETE FROM images WHERE sha256 = ?'),
    isUpload: (sha256: string): boolean => findUpload(sha256) !== null,
    /** Whether a file is an image or a rendition. */
    isStored: sql.exists<[sha256: string]>(
      'SELECT 1 FROM (SELECT sha256 FROM images UNION ALL SELECT sha256 FROM renditions) WHERE sha256 = ? LIMIT 1',
    ),
    /** Unused anonymous uploads from before that time, oldest first. */
    listUnusedBefore: sql.listValues<[before: string, limit: number], string>(`
    SELECT i.sha256 FROM images i INDEXED BY images_strangers
    WHERE i.uploaded_by IS NULL AND i.uploaded_at < ?
      AND NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)
    ORDER BY i.uploaded_at LIMIT ?`),
    /** Unused anonymous uploads dated after that time. */
    listUnusedAfter: sql.list<[after: string, limit: number], { sha256: string; uploadedAt: string }>(`
      SELECT i.sha256, i.uploaded_at AS uploadedAt FROM images i INDEXED BY images_strangers
      WHERE i.uploaded_by IS NULL AND i.uploaded_at > ?
        AND NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)
      ORDER BY i.uploaded_at LIMIT ?`),
    /**
     * Anonymous uploads that no approved project and no post uses. Uses by pending projects don't count, because anyone
     * can submit a project.
     */
    sumUnapproved: sql.get<[], AnonymousBytes>(`
    SELECT coalesce(sum(i.size), 0) AS bytes,
      min(i.uploaded_at) FILTER (WHERE NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)) AS oldest
    FROM images i INDEXED BY images_strangers
    WHERE i.uploaded_by IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM image_uses u LEFT JOIN projects p ON u.kind = 'project' AND p.id = u.owner_id
        WHERE u.image = i.sha256 AND (u.kind = 'post' OR p.status = 'approved'))`),
    /** Replaces the recorded images of a post or project. Unknown images are ignored. */
    recordUses(kind: ImageUseKind, ownerId: number, sha256s: readonly string[]): void {
      clearUses(kind, ownerId)
      for (const sha256 of sha256s) addUse(kind, ownerId, sha256)
    },
  }
})

/** Null also for a file whose recorded type is damaged. */
function served(table: string, image: StoredImage | null): StoredImage | null {
  if (image === null) return null
  return readStored(z.enum(imageTypes), `${table}.type`, image.sha256, image.type) === null ? null : image
}
