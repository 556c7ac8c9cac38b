import type { pageRoutes } from '../../shared/contracts/pages.ts'
import { DomainError } from '../../shared/errors.ts'
import type { MarkdownReader } from '../content/markdown-reader.ts'
import { postsPerPage } from '../domains/blog/published-posts.service.ts'
import type { PublishedPosts } from '../domains/blog/published-posts.service.ts'
import type { PublicCatalog, PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ReviewStatements } from '../domains/releases/decisions/review-statement.service.ts'
import { projectsPerPage } from '../domains/showcase/approved-projects.service.ts'
import type { ApprovedProjects } from '../domains/showcase/approved-projects.service.ts'
import type { MakeErrorPage } from '../http/error-page.ts'
import type { Handlers } from '../http/mount.ts'
import { WithHeaders } from '../http/replies.ts'
import { blogPage } from './blog.page.ts'
import { catalogPage } from './catalog.page.ts'
import { errorPage } from './error.page.ts'
import { homePage } from './home.page.ts'
import { Html } from './html.ts'
import { pageHeaders } from './layout.ts'
import { createPageStore } from './page-store.ts'
import { imagesInText } from './pictures.ts'
import { postPage } from './post.page.ts'
import { projectPage } from './project.page.ts'
import { publisherPage } from './publisher.page.ts'
import { renderText } from './rendered-text.ts'
import { releasePage } from './release.page.ts'
import { createProjectForm } from './project-form.ts'
import type { ProjectFormParts } from './project-form.ts'
import { showcasePage } from './showcase.page.ts'
import { siteAt, skillPath } from './site.ts'
import type { Site } from './site.ts'
import { createSiteFiles } from './site-files.ts'

export interface PageSources extends ProjectFormParts {
  catalog: PublicCatalog
  statements: ReviewStatements
  posts: PublishedPosts
  projects: ApprovedProjects
  markdown: MarkdownReader
  /** Where clients reach the registry. */
  publicUrl(): string
  /** Holds the built desk, with its fonts; null where there is none. */
  deskFolder: string | null
}

export interface Pages {
  handlers: Handlers<typeof pageRoutes>
  errorPage: MakeErrorPage
}

/** On the front page. */
const newest = { skills: 6, projects: 3, posts: 3 }

/** The public pages. Those of releases are made once and kept until something of the catalog changes. */
export function createPages(sources: PageSources): Pages {
  const { catalog, statements, posts, projects, images, markdown } = sources
  const findImage = images.findImage
  const files = createSiteFiles(sources.deskFolder)
  const kept = createPageStore()
  const texts = createPageStore()
  let lastCount = 0

  const site = (skills: number): Site => ({ ...siteAt(sources.publicUrl()), ...files(), skills })
  const siteNow = (): Site => site((lastCount = catalog.countSkills()))
  /** A page of releases alone. */
  const keep = async (
    key: string,
    make: (site: Site) => Buffer | Promise<Buffer>,
  ): Promise<WithHeaders<Buffer>> => {
    const validFor = `${catalog.generation()} ${sources.publicUrl()}`
    return shown(await kept.get(validFor, key, () => make(siteNow())))
  }

  /** Markdown that never changes under its key. */
  const textOf = async (key: string, render: () => Promise<Html>): Promise<Html> => {
    const bytes = await texts.get(sources.publicUrl(), key, async () => Buffer.from((await render()).text))
    return new Html(bytes.toString())
  }

  const handlers: Handlers<typeof pageRoutes> = {
    async showHome({ clientKey }) {
      const parts = {
        newest: await catalog.listNewest(newest.skills, clientKey),
        posts: posts.listNewest(newest.posts),
        projects: projects.listApproved(0).items.slice(0, newest.projects),
      }
      return shown(homePage(siteNow(), { ...parts, findImage }))
    },

    showCatalog: ({ query, clientKey }) =>
      keep(`catalog ${query.offset} ${query.category ?? ''} ${query.q ?? ''}`, async (at) =>
        catalogPage(at, query, await catalog.listSkills(query, clientKey)),
      ),

    showLatestRelease: ({ params: { name } }) =>
      `${siteAt(sources.publicUrl()).base}${skillPath(name, catalog.getLatestVersion(name))}`,

    showRelease: ({ params: { name, version } }) =>
      keep(`release ${name} ${version}`, async (at) => {
        const release = catalog.getRelease(name, version)
        const parts = {
          release,
          review: statements.readReview(name, version),
          versions: catalog.listVersions(name),
        }
        const readme = await textOf(`release ${release.id}`, () =>
          renderText(markdown, withoutTitle(release.manifest)),
        )
        return releasePage(at, { ...parts, readme })
      }),

    showPublisher: ({ params: { id }, query: { offset }, clientKey }) =>
      keep(`publisher ${id} ${offset}`, async (at) => {
        const { name, ...page } = await catalog.listOfPublisher(id, offset, clientKey)
        return publisherPage(at, { id, name, offset, page })
      }),

    showBlog({ query: { tag, offset } }) {
      const page = posts.listPublished(offset, tag)
      return shown(blogPage(siteNow(), { ...page, offset, tag, size: postsPerPage, findImage }))
    },

    async showPost({ params: { slug } }) {
      const post = posts.findPublished(slug)
      if (post === null) throw new DomainError('NOT_FOUND', 'There is no such post. Look for it in the blog.')
      const at = siteNow()
      const text = await textOf(`post ${post.version}`, () =>
        renderText(markdown, post.markdown, imagesInText(at, findImage, post.markdown)),
      )
      return shown(postPage(at, post, text, findImage))
    },

    showShowcase({ query: { offset } }) {
      const page = projects.listApproved(offset)
      return shown(showcasePage(siteNow(), { ...page, offset, size: projectsPerPage, findImage }))
    },

    async showProject({ params: { slug } }) {
      const project = projects.findApproved(slug)
      if (project === null) {
        throw new DomainError('NOT_FOUND', 'There is no such project. Look for it in the showcase.')
      }
      const at = siteNow()
      const key = `project ${project.id} ${project.revision}`
      const text = await textOf(key, () =>
        renderText(markdown, project.markdown, imagesInText(at, findImage, project.markdown)),
      )
      return shown(projectPage(at, project, text, findImage))
    },

    ...createProjectForm(sources, siteNow, () => site(lastCount)),

    getPageFile({ params }) {
      const file = files().find(params.file)
      if (file === null) throw new DomainError('NOT_FOUND', 'There is no such file.')
      return new WithHeaders(file.bytes, {
        ...fileHeaders,
        'Content-Type': file.mediaType,
      })
    },
  }

  return {
    handlers,
    /** Needs nothing that may be away. */
    errorPage: (error, status) => ({
      bytes: errorPage(site(lastCount), error, status),
      headers: pageHeaders,
    }),
  }
}

/** A readme that begins with the skill's own name says it again right below the page's title. */
function withoutTitle({ name, readme }: PublicRelease['manifest']): string {
  const [first = '', ...rest] = readme.split('\n')
  return first.trim().toLowerCase() === `# ${name}` ? rest.join('\n') : readme
}

/** A name holds the digest of its content; what is opened by itself can run nothing. */
const fileHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const shown = (page: Buffer): WithHeaders<Buffer> => new WithHeaders(page, pageHeaders)
