import { createHash } from 'node:crypto'
import { createImageUses } from '../../../src/server/domains/uploads/image-uses.service.ts'
import { createProjectSubmissions } from '../../../src/server/domains/showcase/submit-project.service.ts'
import type { ProjectSubmission } from '../../../src/server/domains/showcase/submit-project.service.ts'
import type { PostContent } from '../../../src/shared/contracts/content.ts'
import type { DeskPost } from '../../../src/shared/contracts/desk-posts.ts'
import type { DeskProject } from '../../../src/shared/contracts/desk-projects.ts'
import { signIn, withDatabase } from '../desk/desk-client.ts'
import type { DeskClient, DeskReply } from '../desk/desk-client.ts'
import { startTestRegistry } from './registry.ts'
import type { TestRegistry } from './registry.ts'
import type { TestServer, TestServerOptions } from './server.ts'

/** The real server with an administrator who is signed in to the desk. */
export interface TestContent extends TestRegistry {
  desk: DeskClient
}

export async function startTestContent(options: TestServerOptions = {}): Promise<TestContent> {
  const app = await startTestRegistry(options)
  return { ...app, desk: await signIn(app, 'rita') }
}

let number = 0

export function postContent(change: Partial<PostContent> = {}): PostContent {
  number += 1
  return {
    title: `Post ${number}`,
    slug: `post-${number}`,
    summary: 'What it is about.',
    markdown: 'Something to read.',
    tags: [],
    cover: null,
    ...change,
  }
}

export function projectContent(change: Partial<ProjectSubmission> = {}): ProjectSubmission {
  number += 1
  return {
    title: `Project ${number}`,
    tagline: 'What it does in one line.',
    markdown: 'A description that is long enough for the showcase.',
    author: 'Ada',
    links: [],
    pictures: [],
    ...change,
  }
}

/** The body of a reply. Throws if the status is not the expected one. */
export function expected<T>(reply: DeskReply<T>, status = 200): T {
  if (reply.status === status) return reply.body
  throw new Error(`${reply.status} instead of ${status}: ${JSON.stringify(reply.body)}`)
}

export async function draftPost(desk: DeskClient, change: Partial<PostContent> = {}): Promise<DeskPost> {
  const { id, revision } = expected(await desk.send<DeskPost>('POST', '/posts'), 201)
  expected(await desk.send('PUT', `/posts/${id}`, { revision, content: postContent(change) }))
  return expected(await desk.get<DeskPost>(`/posts/${id}`))
}

/** Publishes a post immediately, or schedules it. */
export async function publishPost(
  desk: DeskClient,
  change: Partial<PostContent> = {},
  at: string | null = null,
): Promise<DeskPost> {
  const { id, revision } = await draftPost(desk, change)
  return expected(await desk.send<DeskPost>('POST', `/posts/${id}/publish`, { revision, at }))
}

/** Submits a project like the public form and returns its id. */
export async function submitProject(
  server: Pick<TestServer, 'folder'>,
  change: Partial<ProjectSubmission> = {},
): Promise<number> {
  return withDatabase(server, async (database) => {
    const submissions = createProjectSubmissions(database, createImageUses(database.writer))
    return (await submissions.submitProject(projectContent(change))).id
  })
}

export async function decideProject(
  desk: DeskClient,
  id: number,
  action: 'approved' | 'rejected' = 'approved',
  reason = 'It fits.',
): Promise<DeskProject> {
  return expected(await desk.send<DeskProject>('POST', `/projects/${id}/decision`, { action, reason }))
}

export async function approvedProject(
  app: TestContent,
  change: Partial<ProjectSubmission> = {},
): Promise<DeskProject> {
  return decideProject(app.desk, await submitProject(app, change))
}

/** Inserts the database rows of an image, without its files, and returns its digest. */
export async function insertImage(server: Pick<TestServer, 'folder'>, name: string): Promise<string> {
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
  const sha256 = digest(name)
  await withDatabase(server, (database) =>
    database.transact(() => {
      database.writer
        .prepare(
          `INSERT INTO images (sha256, type, width, height, frames, size, has_position, uploaded_at, uploaded_by)
           VALUES (?, 'image/png', 1200, 800, 1, 5000, 0, '2026-01-01T00:00:00.000Z', NULL)`,
        )
        .run(sha256)
      const rendition = database.writer.prepare(
        "INSERT INTO renditions VALUES (?, ?, ?, 'image/webp', ?, ?, 900)",
      )
      for (const [step, width] of [
        ['small', 480],
        ['medium', 960],
        ['large', 1200],
      ] as const) {
        rendition.run(sha256, step, digest(`${name} ${step}`), width, Math.round((width * 2) / 3))
      }
    }),
  )
  return sha256
}
