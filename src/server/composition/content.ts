import type { MarkdownReader } from '../content/markdown-reader.ts'
import type { Database } from '../db/database.ts'
import { deskPostHandlers } from '../domains/blog/desk-posts.routes.ts'
import { createPublishedPosts } from '../domains/blog/published-posts.service.ts'
import { createPostPublishing } from '../domains/blog/publish-post.service.ts'
import { createPostWriting } from '../domains/blog/write-post.service.ts'
import { createDeskMarkdown } from '../domains/discovery/desk-markdown.service.ts'
import { documentHandlers } from '../domains/discovery/documents.routes.ts'
import { createDocuments } from '../domains/discovery/documents.service.ts'
import { createFeed } from '../domains/discovery/feed.service.ts'
import { createPublicPages } from '../domains/discovery/public-pages.service.ts'
import { createPublicState } from '../domains/discovery/public-state.service.ts'
import { createSitemap } from '../domains/discovery/sitemap.service.ts'
import type { CatalogService } from '../domains/releases/catalog/catalog.service.ts'
import type { ReviewStatements } from '../domains/releases/decisions/review-statement.service.ts'
import type { ReleaseStates } from '../domains/releases/maintenance/release-states.service.ts'
import type { PublicOwners } from '../domains/releases/owners/owners.service.ts'
import { createApprovedProjects } from '../domains/showcase/approved-projects.service.ts'
import { deskProjectHandlers } from '../domains/showcase/desk-projects.routes.ts'
import { createProjectEditing } from '../domains/showcase/edit-project.service.ts'
import { createProjectSubmissions } from '../domains/showcase/submit-project.service.ts'
import { createImageLookup, createImageUses } from '../domains/uploads/image-uses.service.ts'
import type { ImageLookup } from '../domains/uploads/image-uses.service.ts'
import type { Config } from '../settings/config.ts'
import type { AllHandlers } from './route-table.ts'

interface ContentParts {
  database: Database
  catalog: CatalogService
  statements: Pick<ReviewStatements, 'getReview'>
  owners: PublicOwners
  states: ReleaseStates
  markdown: MarkdownReader
  /** The URL at which clients reach the registry. */
  publicUrl(): string
  /** The current settings. */
  config: Readonly<Pick<Config, 'securityContact'>>
}

/** The published posts and projects, and the public documents. */
export function createPublicContent(parts: ContentParts) {
  const { database, catalog, markdown, publicUrl } = parts
  const images = createImageLookup(database)
  const posts = createPublishedPosts(database)
  const projects = createApprovedProjects(database)
  const state = createPublicState({
    database,
    publicUrl,
    findNextPublication: posts.findNextPublication,
  })
  const documents = createDocuments({
    posts,
    projects,
    catalog,
    statements: parts.statements,
    owners: parts.owners,
    states: parts.states,
    images,
    markdown,
    state,
    publicUrl,
    config: parts.config,
  })
  return {
    images,
    state,
    posts,
    projects,
    documents,
    handlers: documentHandlers(
      documents,
      createFeed({ state, posts, images, markdown, publicUrl }),
      createSitemap({ state, publicUrl, ...createPublicPages({ database, posts, projects }) }),
    ),
  }
}

interface WritingParts extends Pick<ContentParts, 'database' | 'markdown' | 'publicUrl'> {
  images: ImageLookup
}

/** The services that write posts and projects. */
export function createWriting({ database, images, markdown, publicUrl }: WritingParts) {
  const uses = createImageUses(database.writer)
  const written = { database, uses, images, publicUrl }
  const writing = createPostWriting(written)
  const editing = createProjectEditing(written)
  const deskMarkdown = createDeskMarkdown({ images, markdown })
  const deskHandlers: Pick<AllHandlers, 'deskPosts' | 'deskProjects' | 'deskMarkdown'> = {
    deskPosts: {
      ...deskPostHandlers(writing, createPostPublishing(written)),
      checkSlug({ params: { kind, slug }, query }) {
        const domain = kind === 'post' ? writing : editing
        return domain.checkSlug(slug, query.id ?? null)
      },
    },
    deskProjects: deskProjectHandlers(editing),
    deskMarkdown: {
      renderMarkdown: async ({ body }) => ({
        blocks: await deskMarkdown.renderMarkdown(body.kind, body.markdown),
      }),
    },
  }
  return { projectSubmissions: createProjectSubmissions(database, uses), deskHandlers }
}
