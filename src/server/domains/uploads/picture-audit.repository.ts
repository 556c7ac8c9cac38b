import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

export interface PictureFile {
  sha256: string
  size: number
}

export interface PictureCounts {
  /** As they were sent. */
  pictures: number
  /** With their copies. */
  pictureBytes: number
}

const files = `(SELECT sha256, size FROM images WHERE sha256 > ?
  UNION SELECT sha256, size FROM renditions WHERE sha256 > ?)`

/** The reads of `skilldock verify` and `skilldock backup` about pictures and their copies. */
export const pictureAuditRepository = preparedOnce((connection: Connection) => {
  const list = connection.prepare<[string, string, number], PictureFile>(
    `SELECT sha256, max(size) AS size FROM ${files} GROUP BY sha256 ORDER BY sha256 LIMIT ?`,
  )
  const count = connection.prepare<[string, string], PictureCounts>(
    `SELECT (SELECT count(*) FROM images) AS pictures, coalesce(sum(size), 0) AS pictureBytes
     FROM (SELECT max(size) AS size FROM ${files} GROUP BY sha256)`,
  )

  // One file can be an image and a copy of one, or a copy twice.
  const types = connection.prepare<[string, string, string, number], { sha256: string; type: string }>(
    `SELECT sha256, type FROM (SELECT sha256, type FROM images WHERE sha256 >= ?
       UNION SELECT sha256, type FROM renditions WHERE sha256 >= ?)
     WHERE sha256 || ' ' || type > ? ORDER BY sha256, type LIMIT ?`,
  )
  const saveType = connection.prepare<[string, string]>('UPDATE images SET type = ? WHERE sha256 = ?')
  const saveCopyType = connection.prepare<[string, string]>('UPDATE renditions SET type = ? WHERE sha256 = ?')

  return {
    /** Each file with each type that is noted with it, behind one of them. */
    listTypes: (after: { sha256: string; type: string }, limit: number) =>
      types.all(after.sha256, after.sha256, `${after.sha256} ${after.type}`, limit),
    saveType(sha256: string, type: string): void {
      saveType.run(type, sha256)
      saveCopyType.run(type, sha256)
    },
    /** Files in the order of their digests, each once. */
    listFiles: (after: string, limit: number): PictureFile[] => list.all(after, after, limit),
    count: (): PictureCounts => count.get('', '') ?? { pictures: 0, pictureBytes: 0 },
  }
})
