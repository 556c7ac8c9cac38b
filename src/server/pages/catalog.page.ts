import { categories, pageSize } from '../../shared/contracts/releases.ts'
import type { CatalogQuery, PublicPage } from '../domains/releases/catalog/public-catalog.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage, searchForm } from './layout.ts'
import { plural } from './site.ts'
import type { Site } from './site.ts'
import { pageAddress, pager, skillList } from './skill-list.ts'
import type { Place } from './skill-list.ts'

const catalogMarkdown = '/docs-markdown/site/marketplace.md'

/** `/skills`: a list, with a search and a filter that are addresses. */
export function catalogPage(site: Site, query: CatalogQuery, page: PublicPage): Buffer {
  const { q = '', category, offset } = query
  const isWhole = q === '' && category === undefined
  const place: Place = {
    path: '/skills',
    query: { q, category },
    offset,
    size: pageSize,
    count: page.items.length,
    hasMore: page.hasMore,
    total: isWhole ? site.skills : null,
  }
  const title = titleOf(q, category)
  return renderPage(
    site,
    {
      title: offset === 0 ? title : `${title}, from ${offset + 1}`,
      description: `${plural(site.skills, 'skill')} for agents and people: free WASI modules, each one reviewed by a person.`,
      path: q === '' ? pageAddress(place, offset) : null,
      section: 'catalog',
      q,
      isUnlisted: q !== '' || page.items.length === 0,
      markdown: catalogMarkdown,
      jsonLd: page.items.length === 0 ? [] : [itemList(site, page)],
    },
    html`<main id="main" class="wrap wide" tabindex="-1">
      <div class="head">
        <h1>${title}</h1>
        <p class="quiet">
          ${q === '' ? `${plural(site.skills, 'skill')}, each one reviewed by a person` : found(page, offset)}
        </p>
      </div>
      <div class="narrow">${searchForm(site, q, 'Search by name, text, category or person')}</div>
      ${chips(site, q, category)}
      ${page.items.length === 0 ? nothing(site, query) : skillList(site, page.items, 'Skills')}
      ${pager(site, place)}
    </main>`,
  )
}

/** How many there are is not counted for a search. */
function found({ items, hasMore }: PublicPage, offset: number): string {
  if (offset > 0) return `${offset + 1} to ${offset + items.length}`
  return hasMore ? `more than ${plural(items.length, 'skill')}` : plural(items.length, 'skill')
}

function titleOf(q: string, category: string | undefined): string {
  if (q === '') return category ?? 'Catalog'
  return `“${q}”${category === undefined ? '' : ` in ${category}`}`
}

function chips(site: Site, q: string, chosen: string | undefined): Html {
  const chip = (name: string, category: string | undefined): Html => {
    const address = pageAddress({ path: '/skills', query: { q, category } }, 0)
    return html`<li>
      <a href="${site.base}${address}" ${category === chosen && html` aria-current="true"`}>${name}</a>
    </li>`
  }
  return html`<nav aria-label="Categories">
    <ul class="plain chips">
      ${chip('All', undefined)}${categories.map((category) => chip(category, category))}
    </ul>
  </nav>`
}

/** Which of the three it is: nothing yet, nothing on this page, nothing for this filter. */
function nothing(site: Site, { q = '', category, offset }: CatalogQuery): Html {
  if (offset > 0) {
    const first = pageAddress({ path: '/skills', query: { q, category } }, 0)
    return html`<div class="empty text">
      <p>There is nothing this far down the list. <a href="${site.base}${first}">Go to its beginning</a>.</p>
    </div>`
  }
  if (q === '' && category === undefined) {
    return html`<div class="empty">
      <p>No skill has been approved here yet. A skill appears as soon as a reviewer has approved it.</p>
    </div>`
  }
  if (q === '') {
    return html`<div class="empty text">
      <p>
        No skill of the category ${category} has been approved yet.
        <a href="${site.base}/skills">See all skills</a>.
      </p>
    </div>`
  }
  const without = pageAddress({ path: '/skills', query: { q } }, 0)
  return html`<div class="empty text">
    <p>
      No skill has “${q}” in its name, description, category or
      publisher${category !== undefined && ` and is of the category ${category}`}.
      ${category !== undefined && html`<a href="${site.base}${without}">Look in all categories</a>.`}
      <a href="${site.base}/skills">See all skills</a>.
    </p>
  </div>`
}

function itemList(site: Site, page: PublicPage): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: page.items.map(({ name, version }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      url: `${site.url}/skills/${name}/${version}`,
    })),
  }
}
