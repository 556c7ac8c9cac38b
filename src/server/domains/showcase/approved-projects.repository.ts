import type { ProjectContent } from '../../../shared/contracts/content.ts'
import type { Connection } from '../../db/database.ts'

export interface ApprovedRow {
  id: number
  revision: number
  content: ProjectContent
  featured: number
  approvedAt: string
  updatedAt: string
}

type Row = Omit<ApprovedRow, 'content'> & { content: string }

const columns = 'id, revision, content, featured, decided_at AS approvedAt, updated_at AS updatedAt'
/** Walks projects_public backwards; `id` is the row's own place behind the index. */
const publicOrder = 'ORDER BY featured DESC, position DESC, id DESC'

/** All SQL about what the public reads of projects. */
export function createApprovedProjectRepository(connection: Connection) {
  const page = connection.prepare<[number, number], Row>(
    `SELECT ${columns} FROM projects INDEXED BY projects_public WHERE status = 'approved' ${publicOrder} LIMIT ? OFFSET ?`,
  )
  const count = connection
    .prepare<[], number>("SELECT count(*) FROM projects WHERE status = 'approved'")
    .pluck()
  const bySlug = connection.prepare<[string], Row>(
    `SELECT ${columns} FROM projects WHERE slug = ? AND status = 'approved'`,
  )
  const addresses = connection.prepare<[], { slug: string; updatedAt: string }>(
    `SELECT slug, updated_at AS updatedAt FROM projects INDEXED BY projects_public WHERE status = 'approved' ${publicOrder}`,
  )

  return {
    list: (limit: number, offset: number) => page.all(limit, offset).map(parsed),
    count: () => count.get() ?? 0,
    find(slug: string): ApprovedRow | null {
      const row = bySlug.get(slug)
      return row === undefined ? null : parsed(row)
    },
    listAddresses: () => addresses.all(),
  }
}

function parsed(row: Row): ApprovedRow {
  return { ...row, content: JSON.parse(row.content) as ProjectContent }
}
