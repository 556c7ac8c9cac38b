import { readCapabilities } from '../../shared/capabilities.ts'
import type { CapabilityKey } from '../../shared/capabilities.ts'
import { nextQuery, pageQuery } from '../../shared/list-page.ts'
import type { PageQuery, Query } from '../../shared/list-page.ts'
import type { PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { texts } from './pages.texts.ts'
import { dayOf, listWords, sizeOf, skillPath } from './site.ts'
import type { Site } from './site.ts'

/** Capabilities beyond standard input and output that are worth a mention. */
const notable: Partial<Record<CapabilityKey, string>> = {
  environment: 'reads the environment',
  clock: 'reads the clock',
  wait: 'waits',
  random: 'gets random numbers',
  sockets: 'uses sockets',
  unknown: 'has unknown imports',
}

/** `standard streams only`, `reads files and reads the clock`; null means that the imports are not recorded. */
function capabilityWords(imports: readonly string[] | null): string {
  if (imports === null) return 'imports unknown'
  const keys = new Set(readCapabilities(imports).imported.map(({ key }) => key))
  const words: string[] = []
  if (keys.has('read')) words.push(keys.has('write') ? 'reads and writes files' : 'reads files')
  else if (keys.has('write')) words.push('writes files')
  for (const [key, phrase] of Object.entries(notable)) if (keys.has(key as CapabilityKey)) words.push(phrase)
  if (words.length > 0) return listWords(words)
  return keys.has('stdin') || keys.has('stdout') ? 'standard streams only' : 'only computes'
}

/** The list of skills on the home, catalog and publisher pages. */
export function skillList(site: Site, releases: readonly PublicRelease[], label: string): Html {
  return html`<ul class="plain" aria-label="${label}">
    ${releases.map((release) => row(site, release))}
  </ul>`
}

function row(site: Site, release: PublicRelease): Html {
  const { name, version, manifest, publisher, size, createdAt, imports, deprecation } = release
  return html`<li class="skill">
    <p class="name">
      <a href="${site.base}${skillPath(name, version)}">${name}</a> <span class="mono ver">${version}</span>
      ${deprecation !== null && html`<span class="small quiet">${texts.deprecated}</span>`}
    </p>
    <p class="what">${manifest.description}</p>
    <div class="meta">
      <p class="by">${publisher}, ${manifest.category}</p>
      <p class="can">${capabilityWords(imports)} <span class="size">${sizeOf(size)}</span></p>
    </div>
    <p class="date">${texts.catalog.submitted} <time datetime="${createdAt}">${dayOf(createdAt)}</time></p>
  </li> `
}

export interface PagePosition {
  /** Below the base. */
  path: string
  query: PageQuery
  /** Items per page. */
  size: number
  /** Items on this page. */
  count: number
  hasMore: boolean
  /** Items in total; null if unknown. */
  total: number | null
}

/** The address of one page of a list. */
export const pageAddress = ({ path, query }: Pick<PagePosition, 'path'> & { query: Query }): string =>
  `${path}${pageQuery(query)}`

/** The range of a page of a list, with links to the previous and the next page; null if there is only one. */
export function pager(site: Site, position: PagePosition): Html | null {
  const { path, query, size, count, total } = position
  const { offset } = query
  const next = nextQuery(query, size, position.hasMore)
  if (offset === 0 && next === null) return null
  const to = (page: string): string => `${site.base}${path}${page}`
  return html`<nav class="pages" aria-label="${texts.pager.label}">
    <p>${count > 0 && texts.pager.range(offset + 1, offset + count, total)}</p>
    <span
      >${
        offset > 0 &&
        html`<a href="${to(pageQuery({ ...query, offset: Math.max(0, offset - size) }))}" rel="prev"
          >${texts.pager.previous(size)}</a
        >`
      }${next !== null && html`<a href="${to(next)}" rel="next">${texts.pager.next(size)}</a>`}</span
    >
  </nav>`
}
