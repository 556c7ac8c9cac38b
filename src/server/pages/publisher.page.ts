import { pageSize } from '../../shared/contracts/releases.ts'
import type { PublicPage } from '../domains/releases/catalog/public-catalog.service.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { texts } from './pages.texts.ts'
import type { Site } from './site.ts'
import { pageAddress, pager, skillList } from './skill-list.ts'

interface PublisherPageParts {
  id: number
  name: string
  offset: number
  page: PublicPage
}

/** `/publishers/ID`: a publisher's approved skills. */
export function publisherPage(site: Site, { id, name, offset, page }: PublisherPageParts): Buffer {
  const path = `/publishers/${id}`
  const position = {
    path,
    query: { offset },
    size: pageSize,
    count: page.items.length,
    hasMore: page.hasMore,
    total: null,
  }

  return renderPage(
    site,
    {
      title: offset === 0 ? name : texts.layout.titleFrom(name, offset + 1),
      description: texts.publisher.description(name),
      path: pageAddress(position),
      section: 'catalog',
      type: 'profile',
      isUnlisted: page.items.length === 0,
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'ProfilePage',
          mainEntity: { '@type': 'Person', name, url: `${site.url}${path}` },
        },
      ],
    },
    html`<main id="main" class="wrap wide" tabindex="-1">
      <nav class="crumbs" aria-label="${texts.layout.breadcrumb}">
        <a href="${site.base}/skills">${texts.catalog.title}</a> / ${texts.publisher.breadcrumb}
      </nav>
      <div class="head">
        <h1>${name}</h1>
        <p class="quiet">${texts.publisher.summary}</p>
      </div>
      ${
        page.items.length === 0
          ? html`<div class="empty text">
              <p>${texts.pager.pastEnd} <a href="${site.base}${path}">${texts.pager.first}</a>.</p>
            </div>`
          : skillList(site, page.items, texts.publisher.list(name))
      }
      ${pager(site, position)}
    </main>`,
  )
}
