import { readCapabilities } from '../../shared/capabilities.ts'
import type { CapabilityKey } from '../../shared/capabilities.ts'
import type { PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { dayOf, listWords, sizeOf, skillPath } from './site.ts'
import type { Site } from './site.ts'

/** What needs saying of a module that can do more than read its input and write its output. */
const beyond: Partial<Record<CapabilityKey, string>> = {
  environment: 'sees the environment',
  clock: 'sees the clock',
  wait: 'waits',
  random: 'gets random numbers',
  sockets: 'uses sockets',
  unknown: 'imports what is unknown',
}

/** `standard streams only`, `reads files and sees the clock`; what was not kept is unknown. */
export function capabilityWords(imports: readonly string[] | null): string {
  if (imports === null) return 'imports unknown'
  const keys = new Set(readCapabilities(imports).could.map(({ key }) => key))
  const words: string[] = []
  if (keys.has('read')) words.push(keys.has('write') ? 'reads and writes files' : 'reads files')
  else if (keys.has('write')) words.push('writes files')
  for (const [key, phrase] of Object.entries(beyond)) if (keys.has(key as CapabilityKey)) words.push(phrase)
  if (words.length > 0) return listWords(words)
  return keys.has('stdin') || keys.has('stdout') ? 'standard streams only' : 'only computes'
}

/** Skills one below the other, as lists have them on every page. */
export function skillList(site: Site, releases: readonly PublicRelease[], label: string): Html {
  return html`<ul class="plain" aria-label="${label}">
    ${releases.map((release) => row(site, release))}
  </ul>`
}

function row(site: Site, release: PublicRelease): Html {
  const { name, version, manifest, publisher, size, createdAt, imports } = release
  return html`<li class="skill">
    <p class="name">
      <a href="${site.base}${skillPath(name, version)}">${name}</a> <span class="mono ver">${version}</span>
    </p>
    <p class="what">${manifest.description}</p>
    <div class="meta">
      <p class="by">${publisher}, ${manifest.category}</p>
      <p class="can">${capabilityWords(imports)} <span class="size">${sizeOf(size)}</span></p>
    </div>
    <p class="date"><time datetime="${createdAt}">${dayOf(createdAt)}</time></p>
  </li> `
}

export interface Place {
  /** Below the base, with its query but for the offset. */
  path: string
  query: Readonly<Record<string, string | undefined>>
  offset: number
  size: number
  /** How many are on this page. */
  count: number
  hasMore: boolean
  /** How many there are; null where that was not counted. */
  total: number | null
}

/** The address of one page of a list. */
export function pageAddress({ path, query }: Pick<Place, 'path' | 'query'>, offset: number): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, value)
  if (offset > 0) parameters.set('offset', String(offset))
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Which part of a list this is, and the ways to the others. Nothing where it is all. */
export function pager(site: Site, place: Place): Html | null {
  const { offset, size, count, total, hasMore } = place
  if (offset === 0 && !hasMore) return null
  const to = (at: number): string => `${site.base}${pageAddress(place, at)}`
  const part = `${offset + 1} to ${offset + count}${total === null ? '' : ` of ${total}`}`
  return html`<nav class="pages" aria-label="Pages">
    <p>${count > 0 && part}</p>
    <span
      >${
        offset > 0 && html`<a href="${to(Math.max(0, offset - size))}" rel="prev">Previous ${size}</a>`
      }${hasMore && html`<a href="${to(offset + size)}" rel="next">Next ${size}</a>`}</span
    >
  </nav>`
}
