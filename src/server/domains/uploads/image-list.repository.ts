import type { ImageRow } from '../../../shared/contracts/desk-images.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

export type ImageUse = 'used' | 'unused'

const conditions: Record<ImageUse | 'all', string> = {
  all: '',
  used: 'WHERE EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)',
  unused: 'WHERE NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)',
}

/** All SQL about the list of images. */
export const imageListRepository = preparedOnce((connection: Connection) => {
  const prepare = (use: ImageUse | 'all') => ({
    list: connection.prepare<[number, number], { sha256: string }>(
      `SELECT i.sha256 FROM images i ${conditions[use]}
       ORDER BY i.uploaded_at DESC, i.sha256 DESC LIMIT ? OFFSET ?`,
    ),
    sum: connection.prepare<[], { total: number; bytes: number }>(
      `SELECT count(*) AS total, coalesce(sum(i.size), 0) AS bytes FROM images i ${conditions[use]}`,
    ),
  })
  const statements = { all: prepare('all'), used: prepare('used'), unused: prepare('unused') }
  const listUses = connection.prepare<[string], ImageRow['usedBy'][number]>(
    `SELECT u.kind, u.owner_id AS id, coalesce(p.title, j.title, '') AS title FROM image_uses u
     LEFT JOIN posts p ON u.kind = 'post' AND p.id = u.owner_id
     LEFT JOIN projects j ON u.kind = 'project' AND j.id = u.owner_id
     WHERE u.image = ? ORDER BY u.kind, u.owner_id`,
  )

  return {
    /** Digests of a page, newest first. */
    list: (use: ImageUse | 'all', limit: number, offset: number): string[] =>
      statements[use].list.all(limit, offset).map(({ sha256 }) => sha256),
    /** The number of images and their total bytes. */
    sum: (use: ImageUse | 'all') => statements[use].sum.get() ?? { total: 0, bytes: 0 },
    listUses: (sha256: string) => listUses.all(sha256),
  }
})
