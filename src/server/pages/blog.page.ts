import type { PublishedPost } from '../domains/blog/published-posts.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import type { FindImage } from './pictures.ts'
import { postList } from './post-list.ts'
import { siteName } from './site.ts'
import type { Site } from './site.ts'
import { pageAddress, pager } from './skill-list.ts'

export interface BlogPageParts {
  items: readonly PublishedPost[]
  total: number
  offset: number
  tag: string | undefined
  /** Posts on one page. */
  size: number
  findImage: FindImage
}

/** `/blog`: published posts, newest first. */
export function blogPage(site: Site, { items, total, offset, tag, size, findImage }: BlogPageParts): Buffer {
  const path = '/blog'
  const hasMore = offset + items.length < total
  const place = { path, query: { tag }, offset, size, count: items.length, hasMore, total }
  const title = tag === undefined ? 'Blog' : `Posts about ${tag}`
  return renderPage(
    site,
    {
      title: offset === 0 ? title : `${title}, from ${offset + 1}`,
      description: `News of ${siteName}: what is new in the catalog, and how skills are reviewed.`,
      path: pageAddress(place, offset),
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
        ${tag !== undefined && html`<p><a href="${site.base}${path}">All posts</a></p>`}
      </div>
      ${items.length === 0 ? nothing(site, tag, offset) : postList(site, findImage, items, 2)}
      ${pager(site, place)}
    </main>`,
  )
}

function nothing(site: Site, tag: string | undefined, offset: number): Html {
  if (tag === undefined && offset === 0)
    return html`<div class="empty"><p>Nothing has been published here yet.</p></div>`
  const what =
    tag === undefined || offset > 0
      ? 'There is nothing this far down the list.'
      : `No post has the tag ${tag}.`
  return html`<div class="empty text">
    <p>${what} <a href="${site.base}/blog">See all posts</a>.</p>
  </div>`
}
