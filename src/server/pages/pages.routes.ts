import { postsPerPage, projectsPerPage } from '../../shared/contracts/pages.ts'
import type { pageRoutes } from '../../shared/contracts/pages.ts'
import { DomainError } from '../../shared/errors.ts'
import type { MirrorState } from '../../shared/contracts/mirror.ts'
import { ListPage } from '../../shared/list-page.ts'
import type { MarkdownReader } from '../content/markdown-reader.ts'
import { createPageStore } from '../content/page-store.ts'
import type { Stored } from '../content/page-store.ts'
import type { PublishedPosts } from '../domains/blog/published-posts.service.ts'
import type { PublicState } from '../domains/discovery/public-state.service.ts'
import type { PublicCatalog, PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ReviewStatements } from '../domains/releases/decisions/review-statement.service.ts'
import type { PublicOwners } from '../domains/releases/owners/owners.service.ts'
import type { ApprovedProjects } from '../domains/showcase/approved-projects.service.ts'
import type { ImageLookup } from '../domains/uploads/image-uses.service.ts'
import type { MakeErrorPage } from '../http/error-page.ts'
import type { Handlers } from '../http/mount.ts'
import { WithHeaders } from '../http/replies.ts'
import { blogPage } from './blog.page.ts'
import { catalogPage } from './catalog.page.ts'
import { errorPage } from './error.page.ts'
import { homePage } from './home.page.ts'
import { Html } from './html.ts'
import { pageHeaders } from './layout.ts'
import { imagesInText } from './images.ts'
import { postPage } from './post.page.ts'
import { texts } from './pages.texts.ts'
import { projectPage } from './project.page.ts'
import { publisherPage } from './publisher.page.ts'
import { renderText } from './rendered-text.ts'
import { releasePage } from './release.page.ts'
import type { FormRoutes } from './project-form.ts'
import { showcasePage } from './showcase.page.ts'
import { siteAt, skillPath } from './site.ts'
import type { Site } from './site.ts'
import { createSiteFiles } from './site-files.ts'

interface PageSources {
  images: ImageLookup
  catalog: PublicCatalog
  statements: ReviewStatements
  owners: PublicOwners
  posts: PublishedPosts
  projects: ApprovedProjects
  markdown: MarkdownReader
  state: Pick<PublicState, 'read'>
  /** Null unless this registry is a mirror. */
  readMirror(): MirrorState | null
  /** The URL at which clients reach the registry. */
  publicUrl(): string
  /** Holds the built desk, with its fonts; null if there is no build. */
  deskFolder: string | null
}

type ReadPages = Omit<typeof pageRoutes, keyof FormRoutes>

/** How many of each are on the home page. */
const newest = { skills: 6, projects: 3, posts: 3 }

/** The public pages. They are cached until the catalog changes or, if they show other content, any public data. */
export function createPages(sources: PageSources) {
  const { catalog, statements, owners, posts, projects, images, markdown } = sources
  const findImage = images.findImage
  const files = createSiteFiles(sources.deskFolder)
  const renderedTexts = createPageStore()
  let lastCount = 0

  const site = (skills: number, mirror: MirrorState | null): Site => ({
    ...siteAt(sources.publicUrl()),
    ...files(),
    skills,
    mirror,
  })
  /** The frame of a page. */
  const siteNow = (): Site => site((lastCount = catalog.countSkills()), sources.readMirror())
  /** The same without the database. */
  const offlineSite = (): Site => site(lastCount, null)
  /** A cache of pages that are valid until this changes. */
  const cacheFor = (readState: () => string) => {
    const store = createPageStore()
    return async <T extends Stored>(
      key: string,
      make: (site: Site) => T | Promise<T>,
    ): Promise<Response<T>> => toResponse(await store.get(readState(), key, () => make(siteNow())))
  }
  /** A cached page that depends only on releases. */
  const cached = cacheFor(() => `${catalog.generation()} ${sources.publicUrl()}`)
  /** A cached page that also depends on posts or projects. */
  const cachedContent = cacheFor(sources.state.read)

  /** Rendered Markdown; the text of a key never changes. */
  const textOf = async (key: string, render: () => Promise<Html>): Promise<Html> => {
    const bytes = await renderedTexts.get(sources.publicUrl(), key, async () =>
      Buffer.from((await render()).text),
    )
    return new Html(bytes.toString())
  }

  const handlers: Handlers<ReadPages> = {
    showHome: ({ clientKey }) =>
      cachedContent('home', async (at) => {
        const parts = {
          newest: await catalog.listNewest(newest.skills, clientKey),
          posts: posts.listNewest(newest.posts),
          projects: projects.listApproved(0).items.slice(0, newest.projects),
        }
        return homePage(at, { ...parts, findImage })
      }),

    showCatalog: ({ query, clientKey }) =>
      cached(`catalog ${query.offset} ${query.category ?? ''} ${query.q ?? ''}`, async (at) => {
        const page = await catalog.listSkills(query, clientKey)
        return new ListPage(catalogPage(at, query, page), page.hasMore)
      }),

    showLatestRelease: ({ params: { name } }) =>
      `${siteAt(sources.publicUrl()).base}${skillPath(name, catalog.getLatestVersion(name))}`,

    showRelease: ({ params: { name, version } }) =>
      cached(`release ${name} ${version}`, async (at) => {
        const release = catalog.getRelease(name, version)
        const parts = {
          release,
          review: statements.readReview(name, version),
          versions: catalog.listVersions(name),
          owners: owners.listOwners(name),
        }
        const readme = await textOf(`release ${release.id}`, () =>
          renderText(markdown, withoutTitle(release.manifest)),
        )
        return releasePage(at, { ...parts, readme })
      }),

    showPublisher: ({ params: { id }, query: { offset }, clientKey }) =>
      cached(`publisher ${id} ${offset}`, async (at) => {
        const { name, ...page } = await catalog.listOfPublisher(id, offset, clientKey)
        return new ListPage(publisherPage(at, { id, name, offset, page }), page.hasMore)
      }),

    showBlog: ({ query: { tag, offset } }) =>
      cachedContent(`blog ${offset} ${tag ?? ''}`, (at) => {
        const page = posts.listPublished(offset, tag)
        const hasMore = offset + postsPerPage < page.total
        return new ListPage(blogPage(at, { ...page, offset, tag, hasMore, findImage }), hasMore)
      }),

    showPost: ({ params: { slug } }) =>
      cachedContent(`post ${slug}`, async (at) => {
        const post = posts.findPublished(slug)
        if (post === null) throw new DomainError('NOT_FOUND', texts.blog.notFound)
        const text = await textOf(`post ${post.version}`, () =>
          renderText(markdown, post.markdown, imagesInText(at, findImage, post.markdown)),
        )
        return postPage(at, post, text, findImage)
      }),

    showShowcase: ({ query: { offset } }) =>
      cachedContent(`showcase ${offset}`, (at) => {
        const page = projects.listApproved(offset)
        const hasMore = offset + projectsPerPage < page.total
        return new ListPage(showcasePage(at, { ...page, offset, hasMore, findImage }), hasMore)
      }),

    showProject: ({ params: { slug } }) =>
      cachedContent(`project ${slug}`, async (at) => {
        const project = projects.findApproved(slug)
        if (project === null) throw new DomainError('NOT_FOUND', texts.showcase.notFound)
        const text = await textOf(`project ${project.id} ${project.revision}`, () =>
          renderText(markdown, project.markdown, imagesInText(at, findImage, project.markdown)),
        )
        return projectPage(at, project, text, findImage)
      }),

    getPageFile({ params }) {
      const file = files().find(params.file)
      if (file === null) throw new DomainError('NOT_FOUND', texts.file.notFound)
      return new WithHeaders(file.bytes, {
        ...fileHeaders,
        'Content-Type': file.mediaType,
      })
    },
  }

  return {
    handlers,
    siteNow,
    offlineSite,
    /** Works without the database. */
    errorPage: ((error, status) => ({
      bytes: errorPage(offlineSite(), error, status),
      headers: pageHeaders,
    })) satisfies MakeErrorPage,
  }
}

/** Drops a readme's heading that would only repeat the page's title. */
function withoutTitle({ name, readme }: PublicRelease['manifest']): string {
  const [first = '', ...rest] = readme.split('\n')
  return first.trim().toLowerCase() === `# ${name}` ? rest.join('\n') : readme
}

/** A file's name contains the digest of its content. Opened on its own, a file can't run anything. */
const fileHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

type Response<T extends Stored> =
  T extends ListPage<Buffer> ? ListPage<WithHeaders<Buffer>> : WithHeaders<Buffer>

const toResponse = <T extends Stored>(page: T): Response<T> =>
  (page instanceof ListPage
    ? new ListPage(new WithHeaders(page.body, pageHeaders), page.hasMore)
    : new WithHeaders(page, pageHeaders)) as Response<T>
