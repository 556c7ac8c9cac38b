import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** A piece of all releases: how many, up to which one, and the bytes of packages that no earlier one has. */
export interface Amount {
  releases: number
  bytes: number
  last: number | null
}

export const serviceStatusRepository = preparedOnce((connection: Connection) => {
  const amount = connection.prepare<[number, number], Amount>(`
    SELECT count(*) AS releases, max(id) AS last, coalesce(sum(size) FILTER (WHERE NOT EXISTS (
      SELECT 1 FROM releases earlier WHERE earlier.sha256 = r.sha256 AND earlier.id < r.id
    )), 0) AS bytes
    FROM (SELECT id, sha256, size FROM releases WHERE id > ? ORDER BY id LIMIT ?) r
  `)

  return {
    /** What came after the release with this id; no release is ever taken away. */
    measureAfter: (id: number, limit: number): Amount =>
      amount.get(id, limit) ?? { releases: 0, bytes: 0, last: null },
  }
})
