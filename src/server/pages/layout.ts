import type { Content } from './html.ts'
import { Html, html, jsonLd } from './html.ts'
import { mark, searchIcon } from './icons.ts'
import { countOf, siteName } from './site.ts'
import type { Site } from './site.ts'

export type Section = 'catalog' | 'blog' | 'showcase'

export interface PageHead {
  title: string
  description: string
  /** Below the site's base, with what of the query belongs to the page; null for a search and a refusal. */
  path: string | null
  section: Section | null
  /** For Open Graph. */
  type?: 'website' | 'article' | 'profile'
  /** Absolute, with what it shows. */
  image?: { url: string; alt: string; width: number; height: number } | null
  /** The same as Markdown, below the base. */
  markdown?: string
  /** Searches and other pages that nobody should find by a search. */
  isUnlisted?: boolean
  jsonLd?: readonly object[]
  /** What was searched for. */
  q?: string
  /** More of `<head>`: what Open Graph says of an article. */
  more?: Content
}

const sections: readonly { section: Section; path: string; name: string }[] = [
  { section: 'catalog', path: '/skills', name: 'Catalog' },
  { section: 'blog', path: '/blog', name: 'Blog' },
  { section: 'showcase', path: '/showcase', name: 'Showcase' },
]

/** Nothing runs, nothing comes from elsewhere, nobody frames it. */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept',
}

/** A whole page around what it is about. `main` brings its own `<main id="main">`. */
export function renderPage(site: Site, head: PageHead, main: Html): Buffer {
  const name = head.title === siteName ? siteName : `${head.title} – ${siteName}`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name}</title>
        <meta name="description" content="${head.description}" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#F3F2EE" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#151412" media="(prefers-color-scheme: dark)" />
        <link rel="stylesheet" href="${site.base}/assets/${site.styles}" />
        ${site.preload.map((file) => html`<link rel="preload" href="${site.base}/assets/${file}" as="font" type="font/woff2" crossorigin /> `)}
        <link rel="icon" href="${site.base}/assets/${site.mark}" type="image/svg+xml" />
        ${addresses(site, head)}${head.more}${head.jsonLd?.map((data) => html`${jsonLd(data)} `)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${header(site, head)} ${main} ${footer(site, head)}
      </body>
    </html> `
  return Buffer.from(page.text)
}

function addresses(site: Site, head: PageHead): Html {
  const { image, path } = head
  return html`${
      path !== null &&
      html`<link rel="canonical" href="${site.url}${path}" />
        <meta property="og:url" content="${site.url}${path}" /> `
    }${(path === null || head.isUnlisted === true) && html`<meta name="robots" content="noindex" /> `}<meta
      property="og:site_name"
      content="${siteName}"
    />
    <meta property="og:type" content="${head.type ?? 'website'}" />
    <meta property="og:title" content="${head.title}" />
    <meta property="og:description" content="${head.description}" />
    ${
      image !== null &&
      image !== undefined &&
      html`<meta property="og:image" content="${image.url}" />
        <meta property="og:image:width" content="${image.width}" />
        <meta property="og:image:height" content="${image.height}" />
        <meta property="og:image:alt" content="${image.alt}" /> `
    }<meta
      name="twitter:card"
      content="${image === null || image === undefined ? 'summary' : 'summary_large_image'}"
    />
    <link
      rel="alternate"
      type="application/atom+xml"
      title="${siteName} blog"
      href="${site.url}/api/blog/feed.xml"
    />
    ${
      head.markdown !== undefined &&
      html`<link
        rel="alternate"
        type="text/markdown"
        title="This page as Markdown"
        href="${site.url}${head.markdown}"
      /> `
    }`
}

function header(site: Site, { section: current, q = '' }: PageHead): Html {
  return html`<header class="bar">
    <div class="wrap">
      <a class="brand" href="${site.base}/">${mark}<span>${siteName}</span></a>
      <nav aria-label="Main">
        ${sections.map(
          ({ section, path, name }) =>
            html`<a href="${site.base}${path}" ${section === current && html` aria-current="true"`}
              >${name}</a
            >`,
        )}
      </nav>
      ${searchForm(site, q, 'Search the catalog')}
    </div>
  </header>`
}

/** `label` tells the two of one page apart: one is for narrow windows, one for wide ones. */
export function searchForm(site: Site, q: string, label: string): Html {
  const hint =
    site.skills === 0 ? 'Search' : `Search ${countOf(site.skills)} ${site.skills === 1 ? 'skill' : 'skills'}`
  return html`<form class="search" role="search" aria-label="${label}" action="${site.base}/skills">
    ${searchIcon}<input
      type="search"
      name="q"
      value="${q}"
      placeholder="${hint}"
      aria-label="${label}"
      maxlength="100"
      autocomplete="off"
    />
  </form>`
}

function footer(site: Site, head: PageHead): Html {
  return html`<footer>
    <div class="wrap">
      <p>Every module here was looked at by a person before you could download it.</p>
      <ul class="plain">
        <li><a href="${site.base}/api/blog/feed.xml">Atom feed</a></li>
        <li><a href="${site.base}${head.markdown ?? '/llms.txt'}">Markdown</a></li>
        <li><a href="${site.base}/openapi.json">OpenAPI</a></li>
      </ul>
      ${head.path !== null && html`<p class="paper">${site.url}${head.path}</p>`}
    </div>
  </footer>`
}
