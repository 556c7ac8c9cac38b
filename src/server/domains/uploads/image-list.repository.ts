import type { ImageRow } from '../../../shared/contracts/desk-images.ts'
import { repository } from '../../db/repository.ts'

export type ImageUse = 'used' | 'unused'

const conditions: Record<ImageUse | 'all', string> = {
  all: '',
  used: 'WHERE EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)',
  unused: 'WHERE NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image = i.sha256)',
}

/** All SQL about the list of images. */
export const imageListRepository = repository((sql) => {
  const prepare = (use: ImageUse | 'all') => ({
    /** Digests of a page, newest first. */
    page: sql.listValues<[limit: number, offset: number], string>(`
      SELECT i.sha256 FROM images i ${conditions[use]}
      ORDER BY i.uploaded_at DESC, i.sha256 DESC LIMIT ? OFFSET ?`),
    /** The number of images and their total bytes. */
    sum: sql.get<[], { total: number; bytes: number }>(
      `SELECT count(*) AS total, coalesce(sum(i.size), 0) AS bytes FROM images i ${conditions[use]}`,
    ),
  })

  return {
    all: prepare('all'),
    used: prepare('used'),
    unused: prepare('unused'),
    listUses: sql.list<[sha256: string], ImageRow['usedBy'][number]>(`
      SELECT u.kind, u.owner_id AS id, coalesce(p.title, j.title, '') AS title FROM image_uses u
      LEFT JOIN posts p ON u.kind = 'post' AND p.id = u.owner_id
      LEFT JOIN projects j ON u.kind = 'project' AND j.id = u.owner_id
      WHERE u.image = ? ORDER BY u.kind, u.owner_id`),
  }
})
