import { pageSize } from '../../shared/contracts/releases.ts'
import { categories } from '../../shared/contracts/manifest.ts'
import type { CatalogQuery, PublicPage } from '../domains/releases/catalog/public-catalog.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { renderPage, searchForm } from './layout.ts'
import { texts } from './pages.texts.ts'
import type { Site } from './site.ts'
import { pageAddress, pager, skillList } from './skill-list.ts'
import type { PagePosition } from './skill-list.ts'

const catalogMarkdown = '/docs-markdown/site/marketplace.md'

/** `/skills`: the list of skills. Search and filter are part of the URL. */
export function catalogPage(site: Site, query: CatalogQuery, page: PublicPage): Buffer {
  const { q = '', category, offset } = query
  const isWhole = q === '' && category === undefined
  const position: PagePosition = {
    path: '/skills',
    query: { q, category, offset },
    size: pageSize,
    count: page.items.length,
    hasMore: page.hasMore,
    total: isWhole ? site.skills : null,
  }
  const title = titleOf(q, category)
  return renderPage(
    site,
    {
      title: offset === 0 ? title : texts.layout.titleFrom(title, offset + 1),
      description: texts.catalog.description(site.skills),
      path: q === '' ? pageAddress(position) : null,
      section: 'catalog',
      q,
      isUnlisted: q !== '' || page.items.length === 0,
      markdown: catalogMarkdown,
      jsonLd: page.items.length === 0 ? [] : [itemList(site, page)],
    },
    html`<main id="main" class="wrap wide" tabindex="-1">
      <div class="head">
        <h1>${title}</h1>
        <p class="quiet">${q === '' ? texts.catalog.summary(site.skills) : resultCount(page, offset)}</p>
      </div>
      <div class="narrow">${searchForm(site, q, texts.layout.searchPage)}</div>
      ${chips(site, q, category)}
      ${page.items.length === 0 ? emptyState(site, query) : skillList(site, page.items, texts.catalog.list)}
      ${pager(site, position)}
    </main>`,
  )
}

/** The total number of search results is not known. */
function resultCount({ items, hasMore }: PublicPage, offset: number): string {
  if (offset > 0) return texts.pager.range(offset + 1, offset + items.length, null)
  return texts.catalog.results(items.length, hasMore)
}

function titleOf(q: string, category: string | undefined): string {
  if (q === '') return category ?? texts.catalog.title
  return texts.catalog.searchTitle(q, category)
}

function chips(site: Site, q: string, chosen: string | undefined): Html {
  const chip = (name: string, category: string | undefined): Html => {
    const address = pageAddress({ path: '/skills', query: { q, category } })
    return html`<li>
      <a href="${site.base}${address}" ${category === chosen && html` aria-current="true"`}>${name}</a>
    </li>`
  }
  return html`<nav aria-label="${texts.catalog.categories}">
    <ul class="plain chips">
      ${chip(texts.catalog.allCategories, undefined)}${categories.map((category) => chip(category, category))}
    </ul>
  </nav>`
}

/** No skills at all, none on this page, or none for this search. */
function emptyState(site: Site, { q = '', category, offset }: CatalogQuery): Html {
  if (offset > 0) {
    const first = pageAddress({ path: '/skills', query: { q, category } })
    return html`<div class="empty text">
      <p>${texts.pager.pastEnd} <a href="${site.base}${first}">${texts.pager.first}</a>.</p>
    </div>`
  }
  const all = html`<a href="${site.base}/skills">${texts.catalog.all}</a>.`
  if (q === '') {
    return category === undefined
      ? html`<div class="empty"><p>${texts.catalog.none}</p></div>`
      : html`<div class="empty text"><p>${texts.catalog.noneInCategory(category)} ${all}</p></div>`
  }
  const inAll = pageAddress({ path: '/skills', query: { q } })
  return html`<div class="empty text">
    <p>
      ${texts.catalog.noMatch(q, category)}
      ${category !== undefined && html`<a href="${site.base}${inAll}">${texts.catalog.searchAllCategories}</a>.`}
      ${all}
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
