import { repository } from '../../db/repository.ts'
import { validJson } from '../../db/valid-json.ts'

interface ReleaseAddress {
  id: number
  name: string
  version: string
  ownerId: number
  approvedAt: string
}

/** Rows per query, which then takes a few milliseconds. */
const batchSize = 1000

/** SQL for the release pages in the sitemap. */
export const sitemapRepository = repository((sql) => {
  const listCategories = sql.listIn<number, { category: string }>(`
    SELECT json_extract(${validJson('CAST(m.manifest AS TEXT)')}, '$.category') AS category
    FROM json_each(?) ids JOIN release_manifests m ON m.release_id = ids.value`)

  return {
    /** Approved releases with lower ids, newest submission first; empty at the end. */
    listBefore: sql.list<[id: number], ReleaseAddress>(`
      SELECT r.id, r.name, r.version, r.owner_id AS ownerId, d.decided_at AS approvedAt
      FROM releases r INDEXED BY releases_catalog JOIN decisions d ON d.id = r.last_decision
      WHERE r.status = 'approved' AND r.id < ? ORDER BY r.id DESC LIMIT ${batchSize}`),
    /** One category per release. */
    listCategories: (ids: readonly number[]) => listCategories(ids).map(({ category }) => category),
  }
})
