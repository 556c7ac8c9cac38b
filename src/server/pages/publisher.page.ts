import { pageSize } from '../../shared/contracts/releases.ts'
import type { PublicPage } from '../domains/releases/catalog/public-catalog.service.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import type { Site } from './site.ts'
import { pageAddress, pager, skillList } from './skill-list.ts'

export interface PublisherPageParts {
  id: number
  name: string
  offset: number
  page: PublicPage
}

/** `/publishers/ID`: what of theirs is approved. */
export function publisherPage(site: Site, { id, name, offset, page }: PublisherPageParts): Buffer {
  const path = `/publishers/${id}`
  const place = {
    path,
    query: {},
    offset,
    size: pageSize,
    count: page.items.length,
    hasMore: page.hasMore,
    total: null,
  }
  const description = `Skills published by ${name}, each one reviewed by a person.`
  return renderPage(
    site,
    {
      title: offset === 0 ? name : `${name}, from ${offset + 1}`,
      description,
      path: pageAddress(place, offset),
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
      <nav class="crumbs" aria-label="Where this is">
        <a href="${site.base}/skills">Catalog</a> / Publisher
      </nav>
      <div class="head">
        <h1>${name}</h1>
        <p class="quiet">Approved skills, newest submission first</p>
      </div>
      ${
        page.items.length === 0
          ? html`<div class="empty text">
              <p>
                There is nothing this far down the list.
                <a href="${site.base}${path}">Go to its beginning</a>.
              </p>
            </div>`
          : skillList(site, page.items, `Skills of ${name}`)
      }
      ${pager(site, place)}
    </main>`,
  )
}
