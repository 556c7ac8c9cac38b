import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'
import { validJson } from '../../db/valid-json.ts'

export interface ReleaseAddress {
  id: number
  name: string
  version: string
  ownerId: number
  approvedAt: string
}

/** Rows that one query reads; a few milliseconds. */
const slice = 1000

/** All SQL of the sitemap that no other service answers. */
export const sitemapRepository = preparedOnce((connection: Connection) => {
  const releases = connection.prepare<[number], ReleaseAddress>(
    `SELECT r.id, r.name, r.version, r.owner_id AS ownerId, d.decided_at AS approvedAt
     FROM releases r INDEXED BY releases_catalog JOIN decisions d ON d.id = r.last_decision
     WHERE r.status = 'approved' AND r.id < ? ORDER BY r.id DESC LIMIT ${slice}`,
  )

  const categories = connection
    .prepare<[string], string>(
      `SELECT json_extract(${validJson('CAST(m.manifest AS TEXT)')}, '$.category')
       FROM json_each(?) wanted JOIN release_manifests m ON m.release_id = wanted.value`,
    )
    .pluck()

  return {
    /** Approved releases before this id, newest submission first; empty at the end. */
    listBefore: (id: number) => releases.all(id),
    /** One for each of these releases. */
    listCategories: (ids: readonly number[]) => categories.all(JSON.stringify(ids)),
  }
})
