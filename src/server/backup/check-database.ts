import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { Connection } from '../db/database.ts'
import { findDamage } from '../db/inspect.ts'
import { createPostAuditRepository } from '../domains/blog/post-audit.repository.ts'
import { auditPost } from '../domains/blog/post-audit.rules.ts'
import { createAuditRepository } from '../domains/releases/audit.repository.ts'
import { auditRelease } from '../domains/releases/audit.rules.ts'
import { createProjectAuditRepository } from '../domains/showcase/project-audit.repository.ts'
import { auditProject } from '../domains/showcase/project-audit.rules.ts'
import { createImageRepository } from '../domains/uploads/images.repository.ts'
import { readSigningKey } from '../storage/signing-key.ts'
import type { OnProblem, OnProgress } from './progress.ts'

/** Rows of a page. */
const rowsAtOnce = 50

/** Every row against every other, and the database's own integrity; what is no row is not looked at. */
export function checkDatabase(connection: Connection, onProblem: OnProblem, onProgress: OnProgress): void {
  for (const damage of findDamage(connection)) onProblem(`database: ${damage}`)
  const audit = createAuditRepository(connection)
  inPages(
    { what: 'releases', count: audit.count().releases, list: audit.listReleases },
    onProgress,
    (release) => auditRelease(release).map((problem) => `${release.name} ${release.version}: ${problem}`),
    onProblem,
  )
  const pictures = createImageRepository(connection)
  const isImage = (sha256: string): boolean => pictures.find(sha256) !== null
  const posts = createPostAuditRepository(connection)
  inPages(
    { what: 'posts', count: posts.count(), list: posts.list },
    onProgress,
    (post) => auditPost(post, isImage).map((problem) => `post ${post.id} “${post.title}”: ${problem}`),
    onProblem,
  )
  const projects = createProjectAuditRepository(connection)
  inPages(
    { what: 'projects', count: projects.count(), list: projects.list },
    onProgress,
    (project) =>
      auditProject(project, isImage).map((problem) => `project ${project.id} “${project.title}”: ${problem}`),
    onProblem,
  )
}

interface Listed<Row> {
  what: string
  count: number
  list(afterId: number, limit: number): Row[]
}

/** Tells what `check` says of each row, one page after the other. */
function inPages<Row extends { id: number }>(
  { what, count, list }: Listed<Row>,
  onProgress: OnProgress,
  check: (row: Row) => string[],
  onProblem: OnProblem,
): void {
  let seen = 0
  let last = 0
  for (;;) {
    const page = list(last, rowsAtOnce)
    const end = page.at(-1)
    if (end === undefined) return
    for (const problem of page.flatMap(check)) onProblem(problem)
    last = end.id
    seen += page.length
    onProgress(`${what} ${seen} of ${count}`)
  }
}

/** Whether the key file can be read and its two halves belong together. */
export function checkSigningKey(path: string, onProblem: OnProblem): void {
  try {
    const key = readSigningKey(path)
    const made = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' })
    if (made.x !== key.x) onProblem('signing-key.json: its public half is not that of its private half')
  } catch {
    onProblem('signing-key.json: it is missing or cannot be read; no token can be checked without it')
  }
}
