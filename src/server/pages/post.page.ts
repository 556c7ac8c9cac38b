import type { PublishedPost } from '../domains/blog/published-posts.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import { imageElement, previewOf } from './images.ts'
import type { FindImage } from './images.ts'
import { dayOf, siteName } from './site.ts'
import type { Site } from './site.ts'
import { pageAddress } from './skill-list.ts'

/** `/blog/SLUG`. `text` is rendered and sanitized. */
export function postPage(site: Site, post: PublishedPost, text: Html, findImage: FindImage): Buffer {
  const { title, summary, slug, tags, author, publishedAt, updatedAt, cover } = post
  const path = `/blog/${slug}`
  const image = previewOf(site, findImage, cover)
  const shown = imageElement(site, findImage, cover, { isFirst: true })
  const isEdited = dayOf(updatedAt) !== dayOf(publishedAt)
  return renderPage(
    site,
    {
      title,
      description: summary === '' ? title : summary,
      path,
      section: 'blog',
      type: 'article',
      image,
      markdown: `/docs-markdown${path}.md`,
      more: html`<meta property="article:published_time" content="${publishedAt}" />
        <meta property="article:modified_time" content="${updatedAt}" />
        <meta name="author" content="${author}" />
        ${tags.map((tag) => html`<meta property="article:tag" content="${tag}" /> `)}`,
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'BlogPosting',
          headline: title,
          description: summary,
          datePublished: publishedAt,
          dateModified: updatedAt,
          author: { '@type': 'Person', name: author },
          publisher: { '@type': 'Organization', name: siteName, url: `${site.url}/` },
          mainEntityOfPage: `${site.url}${path}`,
          keywords: tags,
          ...(image === null ? {} : { image: image.url }),
        },
      ],
    },
    html`<main id="main" class="wrap" tabindex="-1">
      <article class="article">
        <nav class="crumbs" aria-label="${texts.layout.breadcrumb}">
          <a href="${site.base}/blog">${texts.blog.title}</a>
        </nav>
        <h1>${title}</h1>
        ${summary !== '' && html`<p class="lead">${summary}</p>`}
        <p class="by">
          <time datetime="${publishedAt}">${dayOf(publishedAt)}</time>,
          ${author}${isEdited && html`, ${texts.blog.edited} <time datetime="${updatedAt}">${dayOf(updatedAt)}</time>`}
        </p>
        ${shown !== null && html`<div class="cover">${shown}</div>`}
        <div class="prose">${text}</div>
        ${
          tags.length > 0 &&
          html`<nav aria-label="${texts.blog.tags}">
            <ul class="plain chips">
              ${tags.map((tag) => html`<li><a href="${site.base}${pageAddress({ path: '/blog', query: { tag } })}">${tag}</a></li>`)}
            </ul>
          </nav>`
        }
      </article>
    </main>`,
  )
}
