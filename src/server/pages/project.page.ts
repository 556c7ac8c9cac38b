import type { ApprovedProject } from '../domains/showcase/approved-projects.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import { imageElement, previewOf } from './images.ts'
import type { FindImage } from './images.ts'
import type { Site } from './site.ts'

/** `/showcase/SLUG`. `text` is rendered and sanitized. */
export function projectPage(site: Site, project: ApprovedProject, text: Html, findImage: FindImage): Buffer {
  const { title, tagline, slug, author, links, pictures, approvedAt, updatedAt } = project
  const path = `/showcase/${slug}`
  const [first = null, ...others] = pictures
  const image = previewOf(site, findImage, first)
  const cover = imageElement(site, findImage, first, { isFirst: true })
  const shots = others
    .map((placed) =>
      imageElement(site, findImage, placed, { sizes: '(max-width: 480px) calc(100vw - 32px), 240px' }),
    )
    .filter((shot) => shot !== null)
  return renderPage(
    site,
    {
      title,
      description: tagline,
      path,
      section: 'showcase',
      type: 'article',
      image,
      markdown: `/docs-markdown${path}.md`,
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'CreativeWork',
          name: title,
          description: tagline,
          author: { '@type': 'Person', name: author },
          url: `${site.url}${path}`,
          datePublished: approvedAt,
          dateModified: updatedAt,
          ...(image === null ? {} : { image: image.url }),
          ...(links.length === 0 ? {} : { sameAs: links.map(({ url }) => url) }),
        },
      ],
    },
    html`<main id="main" class="wrap" tabindex="-1">
      <article class="article">
        <nav class="crumbs" aria-label="${texts.layout.breadcrumb}">
          <a href="${site.base}/showcase">${texts.showcase.title}</a>
        </nav>
        <h1>${title}</h1>
        <p class="lead">${tagline}</p>
        <p class="by">${texts.showcase.by(author)}</p>
        ${cover !== null && html`<div class="cover">${cover}</div>`}
        ${shots.length > 0 && html`<div class="shots">${shots}</div>`}
        <div class="prose">${text}</div>
        ${
          links.length > 0 &&
          html`<section class="links" aria-labelledby="links">
            <h2 id="links">${texts.showcase.links}</h2>
            <ul class="plain">
              ${links.map(({ label, url }) => html`<li><a href="${url}" rel="noopener noreferrer nofollow ugc">${label}</a> <span class="small quiet">${hostOf(url)}</span></li>`)}
            </ul>
          </section>`
        }
      </article>
    </main>`,
  )
}

/** The host of a link, shown next to its text. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}
