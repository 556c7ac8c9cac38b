import { repository } from '../../db/repository.ts'

/** Totals of a range of releases: their number, the last id, and the bytes of packages that no earlier release has. */
interface Amount {
  releases: number
  bytes: number
  last: number | null
}

export const serviceStatusRepository = repository((sql) => ({
  /** Totals of the releases with higher ids. Releases are never deleted. */
  measureAfter: sql.get<[id: number, limit: number], Amount>(`
    SELECT count(*) AS releases, max(id) AS last, coalesce(sum(size) FILTER (WHERE NOT EXISTS (
      SELECT 1 FROM releases earlier WHERE earlier.sha256 = r.sha256 AND earlier.id < r.id
    )), 0) AS bytes
    FROM (SELECT id, sha256, size FROM releases WHERE id > ? ORDER BY id LIMIT ?) r`),
}))
