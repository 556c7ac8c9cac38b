import type { ProjectContent } from '../../../shared/contracts/content.ts'
import type { ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import { repository } from '../../db/repository.ts'
import { damaged, readStoredText } from '../../db/stored-text.ts'
import { reservedSlugs } from './projects.rules.ts'

export interface ProjectRecord {
  id: number
  content: ProjectContent
  revision: number
  status: ProjectStatus
  reason: string | null
  featured: number
  position: number
  submittedAt: string
  decidedAt: string | null
  decidedBy: string | null
}

type Row = Omit<ProjectRecord, 'content'> & { content: string }

const columns = `p.id, p.content, p.revision, p.status, p.reason, p.featured, p.position,
  p.submitted_at AS submittedAt, p.decided_at AS decidedAt, coalesce(d.name, d.subject) AS decidedBy`
const decider = 'LEFT JOIN people d ON d.id = p.decided_by'
const from = `FROM projects p ${decider}`
const fromPublic = `FROM projects p INDEXED BY projects_public ${decider}`
/** Pending ones by waiting time, approved ones in public order, rejected ones newest first. */
const orders: Record<ProjectStatus | 'all', string> = {
  pending: 'p.id',
  approved: 'p.featured DESC, p.position DESC, p.id DESC',
  rejected: 'p.id DESC',
  all: 'p.id DESC',
}
const matches = `(@q = '' OR instr(folded(p.title || ' ' || p.slug || ' ' || p.author), @q) > 0)`

/** All SQL about projects in the desk and the public form. */
export const projectRepository = repository((sql, connection) => {
  // SQLite's lower() only handles ASCII.
  connection.function('folded', { deterministic: true }, (text) => String(text).toLowerCase())
  const list = (status: ProjectStatus | 'all', where: string) => ({
    page: connection.prepare<[{ q: string; offset: number }], Row>(
      `SELECT ${columns} ${status === 'approved' ? fromPublic : from} WHERE ${where} AND ${matches}
       ORDER BY ${orders[status]} LIMIT ${deskPageSize} OFFSET @offset`,
    ),
    count: connection
      .prepare<[{ q: string }], number>(`SELECT count(*) FROM projects p WHERE ${where} AND ${matches}`)
      .pluck(),
  })
  const lists = {
    all: list('all', '1'),
    pending: list('pending', "p.status = 'pending'"),
    approved: list('approved', "p.status = 'approved'"),
    rejected: list('rejected', "p.status = 'rejected'"),
  }
  const counts = connection.prepare<[], { status: ProjectStatus; n: number }>(
    'SELECT status, count(*) AS n FROM projects GROUP BY status',
  )
  // SQLite records the highest id ever assigned; ids are never reused.
  const submitted = connection
    .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'projects'")
    .pluck()
  const byId = connection.prepare<[number], Row>(`SELECT ${columns} ${from} WHERE p.id = ?`)
  const slugTaken = connection
    .prepare<[string, number | null], 1>(
      "SELECT 1 FROM projects WHERE slug = ? AND status = 'approved' AND id IS NOT ?",
    )
    .pluck()
  const insert = connection.prepare<[string, string, string, string, string, string]>(
    `INSERT INTO projects (slug, title, author, content, revision, status, position, submitted_at, updated_at)
     VALUES (?, ?, ?, ?, 0, 'pending', 0, ?, ?)`,
  )
  const save = connection.prepare<[string, string, string, string, string, number]>(
    `UPDATE projects SET slug = ?, title = ?, author = ?, content = ?, revision = revision + 1, updated_at = ?
     WHERE id = ?`,
  )
  const decide = connection.prepare<[string, string | null, string, number, string, number, number]>(
    `UPDATE projects SET status = ?, reason = ?, decided_at = ?, decided_by = ?, updated_at = ?, position = ?, featured = 0
     WHERE id = ?`,
  )
  const feature = connection.prepare<[number, number, number]>(
    'UPDATE projects SET featured = ?, position = ? WHERE id = ?',
  )
  const place = connection.prepare<[number, number]>('UPDATE projects SET position = ? WHERE id = ?')
  const greatest = connection
    .prepare<[number], number | null>(
      "SELECT max(position) FROM projects WHERE status = 'approved' AND featured = ?",
    )
    .pluck()
  const inOrder = connection
    .prepare<[number], number>(
      "SELECT id FROM projects WHERE status = 'approved' AND featured = ? ORDER BY position, id",
    )
    .pluck()

  return {
    list: (status: ProjectStatus | 'all', q: string, offset: number) =>
      lists[status].page.all({ q: q.toLowerCase(), offset }).flatMap((row) => {
        const content = readContent(row)
        return content === null ? [] : [{ ...row, content }]
      }),
    count: (status: ProjectStatus | 'all', q: string) => lists[status].count.get({ q: q.toLowerCase() }) ?? 0,
    countEach(): Record<ProjectStatus, number> {
      const found = new Map(counts.all().map(({ status, n }) => [status, n]))
      return {
        pending: found.get('pending') ?? 0,
        approved: found.get('approved') ?? 0,
        rejected: found.get('rejected') ?? 0,
      }
    },
    countSubmitted: (): number => submitted.get() ?? 0,
    /** The number of anonymous uploads that only this project uses. */
    countOwnPictures: sql.count<[id: number]>(`
      SELECT count(*) FROM image_uses u CROSS JOIN images i ON i.sha256 = u.image AND i.uploaded_by IS NULL
      WHERE u.kind = 'project' AND u.owner_id = ?
        AND NOT EXISTS (
          SELECT 1 FROM image_uses o WHERE o.image = u.image AND (o.kind <> 'project' OR o.owner_id <> u.owner_id))`),
    remove: sql.run<[id: number]>('DELETE FROM projects WHERE id = ?'),
    find(id: number): ProjectRecord | null {
      const row = byId.get(id)
      return row === undefined ? null : parsed(row)
    },
    /** Whether another approved project or a page of the site has this slug. */
    isSlugTaken: (slug: string, id: number | null) =>
      reservedSlugs.has(slug) || slugTaken.get(slug, id) === 1,
    insert(content: ProjectContent, at: string): number {
      const { slug, title, author } = content
      return Number(insert.run(slug, title, author, JSON.stringify(content), at, at).lastInsertRowid)
    },
    save(id: number, content: ProjectContent, at: string): void {
      const { slug, title, author } = content
      save.run(slug, title, author, JSON.stringify(content), at, id)
    },
    decide: (
      id: number,
      decision: { status: ProjectStatus; reason: string | null; at: string; by: number; position: number },
    ) =>
      decide.run(
        decision.status,
        decision.reason,
        decision.at,
        decision.by,
        decision.at,
        decision.position,
        id,
      ),
    feature: (id: number, featured: boolean, position: number) => feature.run(featured ? 1 : 0, position, id),
    place: (id: number, position: number) => place.run(position, id),
    /** The highest position among the featured or the other approved projects; null without any. */
    greatestPosition: (featured: boolean) => greatest.get(featured ? 1 : 0) ?? null,
    /** From last to first. */
    listOrder: (featured: boolean) => inOrder.all(featured ? 1 : 0),
  }
})

export type ProjectRepository = ReturnType<typeof projectRepository>

const readContent = ({ id, content }: Row): ProjectContent | null =>
  readStoredText('projectContent', 'projects.content', id, content)

function parsed(row: Row): ProjectRecord {
  const content = readContent(row)
  if (content !== null) return { ...row, content }
  throw damaged('STORAGE_UNAVAILABLE', 'this project')
}
