import { verifyPostsRepository } from '../domains/blog/verify-posts.repository.ts'
import { verifyPost } from '../domains/blog/verify-post.rules.ts'
import { postRepository } from '../domains/blog/posts.repository.ts'
import { verifyProjectsRepository } from '../domains/showcase/verify-projects.repository.ts'
import { verifyProject } from '../domains/showcase/verify-project.rules.ts'
import { imageRepository } from '../domains/uploads/images.repository.ts'
import type { Check } from './run-checks.ts'
import { rowsInPages } from './rows-in-pages.ts'

/** Checks each post with its versions, slug and image references. */
export const postsCheck: Check = {
  name: 'posts',
  *find({ connection, onProgress }) {
    const rows = verifyPostsRepository(connection)
    const posts = postRepository(connection)
    const images = imageRepository(connection)
    const progress = { what: 'posts', count: rows.count(), onProgress }
    for (const post of rowsInPages(rows.list, progress)) {
      for (const { problem, derived } of verifyPost(post, images.isUpload)) {
        const sentence = `post ${post.id} “${post.title}”: ${problem}`
        const repair = (): void => {
          if (derived?.part === 'row') rows.rewriteRow(post.id)
          if (derived?.part === 'uses') images.recordUses('post', post.id, derived.images)
          if (derived?.part !== 'slug') return
          if (derived.slug === null) posts.freeSlug(post.id)
          else posts.takeSlug({ id: post.id, slug: derived.slug })
        }
        yield derived === null ? { problem: sentence } : { problem: sentence, repair }
      }
    }
  },
}

/** Checks each showcase project with its decision and image references. */
export const projectsCheck: Check = {
  name: 'projects',
  *find({ connection, onProgress }) {
    const rows = verifyProjectsRepository(connection)
    const images = imageRepository(connection)
    const progress = { what: 'projects', count: rows.count(), onProgress }
    for (const project of rowsInPages(rows.list, progress)) {
      for (const { problem, derived } of verifyProject(project, images.isUpload)) {
        const sentence = `project ${project.id} “${project.title}”: ${problem}`
        const repair = (): void => {
          if (derived?.part === 'row') rows.rewriteRow(project.id)
          if (derived?.part === 'uses') images.recordUses('project', project.id, derived.images)
        }
        yield derived === null ? { problem: sentence } : { problem: sentence, repair }
      }
    }
  },
}
