import { postsPerPage } from '../../shared/contracts/pages.ts'
import type { PublishedPost } from '../domains/blog/published-posts.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import type { FindImage } from './images.ts'
import { postList } from './post-list.ts'
import { siteName } from './site.ts'
import type { Site } from './site.ts'
import { pageAddress, pager } from './skill-list.ts'

interface BlogPageParts {
  items: readonly PublishedPost[]
  total: number
  offset: number
  tag: string | undefined
  hasMore: boolean
  findImage: FindImage
}

/** `/blog`: published posts, newest first. */
export function blogPage(
  site: Site,
  { items, total, offset, tag, hasMore, findImage }: BlogPageParts,
): Buffer {
  const path = '/blog'
  const position = { path, query: { tag, offset }, size: postsPerPage, count: items.length, hasMore, total }
  const title = tag === undefined ? texts.blog.title : texts.blog.tagTitle(tag)
  return renderPage(
    site,
    {
      title: offset === 0 ? title : texts.layout.titleFrom(title, offset + 1),
      description: texts.blog.description,
      path: pageAddress(position),
      section: 'blog',
      isUnlisted: items.length === 0,
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'Blog',
          name: `${siteName} blog`,
          url: `${site.url}${path}`,
          blogPost: items.map((post) => ({
            '@type': 'BlogPosting',
            headline: post.title,
            datePublished: post.publishedAt,
            url: `${site.url}/blog/${post.slug}`,
          })),
        },
      ],
    },
    html`<main id="main" class="wrap wide" tabindex="-1">
      <div class="head">
        <h1>${title}</h1>
        ${tag !== undefined && html`<p><a href="${site.base}${path}">${texts.blog.all}</a></p>`}
      </div>
      ${items.length === 0 ? emptyState(site, tag, offset) : postList(site, findImage, items, 2)}
      ${pager(site, position)}
    </main>`,
  )
}

function emptyState(site: Site, tag: string | undefined, offset: number): Html {
  if (tag === undefined && offset === 0) return html`<div class="empty"><p>${texts.blog.none}</p></div>`
  const reason = tag === undefined || offset > 0 ? texts.pager.pastEnd : texts.blog.noneWithTag(tag)
  return html`<div class="empty text">
    <p>${reason} <a href="${site.base}/blog">${texts.blog.seeAll}</a>.</p>
  </div>`
}
