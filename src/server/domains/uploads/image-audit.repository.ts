import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

export interface ImageFile {
  sha256: string
  size: number
}

export interface ImageCounts {
  /** Without renditions. */
  pictures: number
  /** Including renditions. */
  pictureBytes: number
}

const files = `(SELECT sha256, size FROM images WHERE sha256 > ?
  UNION SELECT sha256, size FROM renditions WHERE sha256 > ?)`

/** Queries about images and renditions for `skilldock verify` and `skilldock backup`. */
export const imageAuditRepository = preparedOnce((connection: Connection) => {
  const list = connection.prepare<[string, string, number], ImageFile>(
    `SELECT sha256, max(size) AS size FROM ${files} GROUP BY sha256 ORDER BY sha256 LIMIT ?`,
  )
  const count = connection.prepare<[string, string], ImageCounts>(
    `SELECT (SELECT count(*) FROM images) AS pictures, coalesce(sum(size), 0) AS pictureBytes
     FROM (SELECT max(size) AS size FROM ${files} GROUP BY sha256)`,
  )

  // One file can be both an image and a rendition, or a rendition of two images.
  const types = connection.prepare<[string, string, string, number], { sha256: string; type: string }>(
    `SELECT sha256, type FROM (SELECT sha256, type FROM images WHERE sha256 >= ?
       UNION SELECT sha256, type FROM renditions WHERE sha256 >= ?)
     WHERE sha256 || ' ' || type > ? ORDER BY sha256, type LIMIT ?`,
  )
  const saveType = connection.prepare<[string, string]>('UPDATE images SET type = ? WHERE sha256 = ?')
  const saveCopyType = connection.prepare<[string, string]>('UPDATE renditions SET type = ? WHERE sha256 = ?')

  return {
    /** Each file with each recorded type, starting after a given pair. */
    listTypes: (after: { sha256: string; type: string }, limit: number) =>
      types.all(after.sha256, after.sha256, `${after.sha256} ${after.type}`, limit),
    saveType(sha256: string, type: string): void {
      saveType.run(type, sha256)
      saveCopyType.run(type, sha256)
    },
    /** Files in digest order, each once. */
    listFiles: (after: string, limit: number): ImageFile[] => list.all(after, after, limit),
    count: (): ImageCounts => count.get('', '') ?? { pictures: 0, pictureBytes: 0 },
  }
})
