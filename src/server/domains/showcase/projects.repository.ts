import type { ProjectContent } from '../../../shared/contracts/content.ts'
import type { ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { deskPageSize } from '../../../shared/list-page.ts'
import { repository } from '../../db/repository.ts'
import { damaged, readJson } from '../../db/stored-text.ts'
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

interface ProjectDecision extends Pick<ProjectRecord, 'id' | 'status' | 'reason' | 'position'> {
  at: string
  by: number
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
    page: sql.list<[{ q: string; offset: number }], Row>(`
      SELECT ${columns} ${status === 'approved' ? fromPublic : from} WHERE ${where} AND ${matches}
      ORDER BY ${orders[status]} LIMIT ${deskPageSize} OFFSET @offset`),
    count: sql.count<[{ q: string }]>(`SELECT count(*) FROM projects p WHERE ${where} AND ${matches}`),
  })
  const lists = {
    all: list('all', '1'),
    pending: list('pending', "p.status = 'pending'"),
    approved: list('approved', "p.status = 'approved'"),
    rejected: list('rejected', "p.status = 'rejected'"),
  }
  const counts = sql.list<[], { status: ProjectStatus; n: number }>(
    'SELECT status, count(*) AS n FROM projects GROUP BY status',
  )
  const byId = sql.find<[number], Row>(`SELECT ${columns} ${from} WHERE p.id = ?`)
  const isTaken = sql.exists<[slug: string, id: number | null]>(
    "SELECT 1 FROM projects WHERE slug = ? AND status = 'approved' AND id IS NOT ?",
  )
  const insert = sql.insert<[string, string, string, string, string, string]>(`
    INSERT INTO projects (slug, title, author, content, revision, status, position, submitted_at, updated_at)
    VALUES (?, ?, ?, ?, 0, 'pending', 0, ?, ?)`)
  const save = sql.run<[string, string, string, string, string, number]>(`
    UPDATE projects SET slug = ?, title = ?, author = ?, content = ?, revision = revision + 1, updated_at = ?
    WHERE id = ?`)
  const feature = sql.run<[number, number, number]>(
    'UPDATE projects SET featured = ?, position = ? WHERE id = ?',
  )
  const greatest = sql.findValue<[number], number | null>(
    "SELECT max(position) FROM projects WHERE status = 'approved' AND featured = ?",
  )
  const inOrder = sql.listValues<[number], number>(
    "SELECT id FROM projects WHERE status = 'approved' AND featured = ? ORDER BY position, id",
  )

  return {
    list: (status: ProjectStatus | 'all', q: string, offset: number) =>
      lists[status].page({ q: q.toLowerCase(), offset }).flatMap((row) => {
        const content = readContent(row)
        return content === null ? [] : [{ ...row, content }]
      }),
    count: (status: ProjectStatus | 'all', q: string) => lists[status].count({ q: q.toLowerCase() }),
    countEach(): Record<ProjectStatus, number> {
      const found = new Map(counts().map(({ status, n }) => [status, n]))
      return {
        pending: found.get('pending') ?? 0,
        approved: found.get('approved') ?? 0,
        rejected: found.get('rejected') ?? 0,
      }
    },
    /** SQLite records the highest id ever assigned; ids are never reused. */
    countSubmitted: sql.count<[]>("SELECT seq FROM sqlite_sequence WHERE name = 'projects'"),
    /** The number of anonymous uploads that only this project uses. */
    countOwnImages: sql.count<[id: number]>(`
      SELECT count(*) FROM image_uses u CROSS JOIN images i ON i.sha256 = u.image AND i.uploaded_by IS NULL
      WHERE u.kind = 'project' AND u.owner_id = ?
        AND NOT EXISTS (
          SELECT 1 FROM image_uses o WHERE o.image = u.image AND (o.kind <> 'project' OR o.owner_id <> u.owner_id))`),
    remove: sql.run<[id: number]>('DELETE FROM projects WHERE id = ?'),
    find(id: number): ProjectRecord | null {
      const row = byId(id)
      return row === null ? null : parsed(row)
    },
    /** Whether another approved project or a page of the site has this slug. */
    isSlugTaken: (slug: string, id: number | null) => reservedSlugs.has(slug) || isTaken(slug, id),
    insert(content: ProjectContent, at: string): number {
      const { slug, title, author } = content
      return insert(slug, title, author, JSON.stringify(content), at, at)
    },
    save(id: number, content: ProjectContent, at: string): void {
      const { slug, title, author } = content
      save(slug, title, author, JSON.stringify(content), at, id)
    },
    decide: sql.run<[decision: ProjectDecision]>(`
      UPDATE projects SET status = @status, reason = @reason, decided_at = @at, decided_by = @by, updated_at = @at,
        position = @position, featured = 0
      WHERE id = @id`),
    feature: (id: number, featured: boolean, position: number) => feature(featured ? 1 : 0, position, id),
    place: sql.run<[{ id: number; position: number }]>(
      'UPDATE projects SET position = @position WHERE id = @id',
    ),
    /** The highest position among the featured or the other approved projects; null without any. */
    greatestPosition: (featured: boolean) => greatest(featured ? 1 : 0),
    /** From last to first. */
    listOrder: (featured: boolean) => inOrder(featured ? 1 : 0),
  }
})

export type ProjectRepository = ReturnType<typeof projectRepository>

const readContent = ({ id, content }: Row): ProjectContent | null => readJson('projects.content', id, content)

function parsed(row: Row): ProjectRecord {
  const content = readContent(row)
  if (content !== null) return { ...row, content }
  throw damaged('STORAGE_UNAVAILABLE', 'this project')
}
