import { projectsPerPage } from '../../shared/contracts/pages.ts'
import type { ApprovedProject } from '../domains/showcase/approved-projects.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import { imageElement } from './images.ts'
import type { FindImage } from './images.ts'
import type { Site } from './site.ts'
import { pageAddress, pager } from './skill-list.ts'

interface ShowcasePageParts {
  items: readonly ApprovedProject[]
  total: number
  offset: number
  hasMore: boolean
  findImage: FindImage
}

/** `/showcase`: what people have made, featured projects first. */
export function showcasePage(
  site: Site,
  { items, total, offset, hasMore, findImage }: ShowcasePageParts,
): Buffer {
  const path = '/showcase'
  const position = { path, query: { offset }, size: projectsPerPage, count: items.length, hasMore, total }
  return renderPage(
    site,
    {
      title: offset === 0 ? texts.showcase.title : texts.layout.titleFrom(texts.showcase.title, offset + 1),
      description: texts.showcase.description,
      path: pageAddress(position),
      section: 'showcase',
      isUnlisted: items.length === 0,
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'ItemList',
          itemListElement: items.map(({ title, slug }, index) => ({
            '@type': 'ListItem',
            position: offset + index + 1,
            name: title,
            url: `${site.url}${path}/${slug}`,
          })),
        },
      ],
    },
    html`<main id="main" class="wrap wide" tabindex="-1">
      <div class="head">
        <h1>${texts.showcase.title}</h1>
        <p class="quiet">${texts.showcase.summary}</p>
      </div>
      <p class="more"><a href="${site.base}/showcase/submit">${texts.showcase.submit}</a></p>
      ${items.length === 0 ? emptyState(site, offset) : projectGrid(site, findImage, items, 2)}
      ${pager(site, position)}
    </main>`,
  )
}

/** A grid of projects. `level` is the level of their headings. */
export function projectGrid(
  site: Site,
  find: FindImage,
  projects: readonly ApprovedProject[],
  level: 2 | 3,
): Html {
  return html`<ul class="plain grid">
    ${projects.map((project) => tile(site, find, project, level))}
  </ul>`
}

function tile(site: Site, find: FindImage, project: ApprovedProject, level: 2 | 3): Html {
  const link = html`<a href="${site.base}/showcase/${project.slug}">${project.title}</a>`
  const first = project.pictures.at(0) ?? null
  const image = imageElement(site, find, first === null ? null : { ...first, alt: '' }, {
    sizes: '(max-width: 480px) calc(100vw - 32px), 340px',
  })
  return html`<li class="tile">
    ${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
    <p class="quiet">${project.tagline}</p>
    <p class="small quiet">${project.author}${project.featured && `, ${texts.showcase.featured}`}</p>
    ${image !== null && html`<div class="shot">${image}</div>`}
  </li> `
}

function emptyState(site: Site, offset: number): Html {
  return offset === 0
    ? html`<div class="empty"><p>${texts.showcase.none}</p></div>`
    : html`<div class="empty text">
        <p>${texts.pager.pastEnd} <a href="${site.base}/showcase">${texts.pager.first}</a>.</p>
      </div>`
}
