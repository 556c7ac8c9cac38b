import { z } from 'zod'
import { slugSchema } from '../../../shared/contracts/content.ts'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { instantSchema } from '../../../shared/contracts/desk-common.ts'
import { repository } from '../../db/repository.ts'
import { readStored, storedJson } from '../../db/stored-text.ts'

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
/** Reads the index projects_public backwards; `id` is the implicit last column of an index. */
const publicOrder = 'ORDER BY featured DESC, position DESC, id DESC'

/** All SQL about approved projects. */
export const approvedProjectRepository = repository((sql) => {
  const page = sql.list<[number, number], Row>(
    `SELECT ${columns} FROM projects INDEXED BY projects_public WHERE status = 'approved' ${publicOrder} LIMIT ? OFFSET ?`,
  )
  const bySlug = sql.find<[string], Row>(
    `SELECT ${columns} FROM projects WHERE slug = ? AND status = 'approved'`,
  )
  const addresses = sql.list<[], { id: number; slug: string; updatedAt: string }>(
    `SELECT id, slug, updated_at AS updatedAt FROM projects INDEXED BY projects_public WHERE status = 'approved' ${publicOrder}`,
  )

  return {
    list: (limit: number, offset: number) => page(limit, offset).flatMap(parsed),
    count: sql.count<[]>("SELECT count(*) FROM projects WHERE status = 'approved'"),
    find(slug: string): ApprovedRow | null {
      const row = bySlug(slug)
      return row === null ? null : (parsed(row)[0] ?? null)
    },
    listAddresses: () =>
      addresses().flatMap((row) => readStored(addressSchema, 'projects', row.id, row) ?? []),
  }
})

const addressSchema = z.object({ id: z.int(), slug: slugSchema, updatedAt: instantSchema })
const rowSchema = z.object({
  id: z.int(),
  revision: z.int(),
  content: storedJson['projects.content'],
  featured: z.int(),
  approvedAt: instantSchema,
  updatedAt: instantSchema,
})

/** Empty for a damaged project, so that the others are still shown. */
function parsed(row: Row): ApprovedRow[] {
  const project = readStored(rowSchema, 'projects', row.id, row)
  return project === null ? [] : [project]
}
