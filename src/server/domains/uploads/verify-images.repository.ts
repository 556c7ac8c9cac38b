import { repository } from '../../db/repository.ts'

interface ImageFile {
  sha256: string
  size: number
}

export interface ImageCounts {
  /** Without renditions. */
  pictures: number
  /** Including renditions. */
  pictureBytes: number
}

const files = `(SELECT sha256, size FROM images WHERE sha256 > @after
  UNION SELECT sha256, size FROM renditions WHERE sha256 > @after)`

/** Queries about images and renditions for `skilldock verify` and `skilldock backup`. */
export const verifyImagesRepository = repository((sql) => {
  const listFiles = sql.list<[{ after: string; limit: number }], ImageFile>(
    `SELECT sha256, max(size) AS size FROM ${files} GROUP BY sha256 ORDER BY sha256 LIMIT @limit`,
  )
  const count = sql.get<[{ after: string }], ImageCounts>(`
    SELECT (SELECT count(*) FROM images) AS pictures, coalesce(sum(size), 0) AS pictureBytes
    FROM (SELECT max(size) AS size FROM ${files} GROUP BY sha256)`)
  const saveType = sql.run<[type: string, sha256: string]>('UPDATE images SET type = ? WHERE sha256 = ?')
  const saveCopyType = sql.run<[type: string, sha256: string]>(
    'UPDATE renditions SET type = ? WHERE sha256 = ?',
  )
  // One file can be both an image and a rendition, or a rendition of two images.
  const listTypes = sql.list<
    [{ sha256: string; last: string; limit: number }],
    { sha256: string; type: string }
  >(`
    SELECT sha256, type FROM (SELECT sha256, type FROM images WHERE sha256 >= @sha256
      UNION SELECT sha256, type FROM renditions WHERE sha256 >= @sha256)
    WHERE sha256 || ' ' || type > @last ORDER BY sha256, type LIMIT @limit`)

  return {
    /** Each file with each recorded type, starting after a given pair. */
    listTypes: ({ sha256, type }: { sha256: string; type: string }, limit: number) =>
      listTypes({ sha256, last: `${sha256} ${type}`, limit }),
    saveType(sha256: string, type: string): void {
      saveType(type, sha256)
      saveCopyType(type, sha256)
    },
    /** Files in digest order, each once. */
    listFiles: (after: string, limit: number): ImageFile[] => listFiles({ after, limit }),
    count: (): ImageCounts => count({ after: '' }),
  }
})
