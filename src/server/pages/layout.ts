import type { Content } from './html.ts'
import { Html, html, jsonLd } from './html.ts'
import { mark, searchIcon } from './icons.ts'
import { texts } from './pages.texts.ts'
import { siteName } from './site.ts'
import type { Site } from './site.ts'

type Section = 'catalog' | 'blog' | 'showcase'

export interface PageHead {
  title: string
  description: string
  /** Canonical path below the site's base, with its query; null for searches and errors. */
  path: string | null
  section: Section | null
  /** For Open Graph. */
  type?: 'website' | 'article' | 'profile'
  /** The URL is absolute. */
  image?: { url: string; alt: string; width: number; height: number } | null
  /** Path of the Markdown version, below the base. */
  markdown?: string
  /** Search engines should not index the page. */
  isUnlisted?: boolean
  jsonLd?: readonly object[]
  /** The search text. */
  q?: string
  /** More elements for `<head>`, such as Open Graph data of an article. */
  more?: Content
}

const sections: readonly { section: Section; path: string; name: string }[] = [
  { section: 'catalog', path: '/skills', name: texts.layout.sections.catalog },
  { section: 'blog', path: '/blog', name: texts.layout.sections.blog },
  { section: 'showcase', path: '/showcase', name: texts.layout.sections.showcase },
]

/** No scripts, no content from other origins, no framing. */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept',
}

/** A complete page. `main` includes the `<main id="main">` element. */
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
        <a class="skip" href="#main">${texts.layout.skip}</a>
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
      title="${texts.layout.feed}"
      href="${site.url}/api/blog/feed.xml"
    />
    ${
      head.markdown !== undefined &&
      html`<link
        rel="alternate"
        type="text/markdown"
        title="${texts.layout.asMarkdown}"
        href="${site.url}${head.markdown}"
      /> `
    }`
}

function header(site: Site, { section: current, q = '' }: PageHead): Html {
  return html`<header class="bar">
    <div class="wrap">
      <a class="brand" href="${site.base}/">${mark}<span>${siteName}</span></a>
      <nav aria-label="${texts.layout.nav}">
        ${sections.map(
          ({ section, path, name }) =>
            html`<a href="${site.base}${path}" ${section === current && html` aria-current="true"`}
              >${name}</a
            >`,
        )}
      </nav>
      ${searchForm(site, q, texts.layout.searchHeader)}
    </div>
  </header>`
}

/** Some pages have two of these, for wide and for narrow windows; `label` distinguishes them. */
export function searchForm(site: Site, q: string, label: string): Html {
  return html`<form class="search" role="search" aria-label="${label}" action="${site.base}/skills">
    ${searchIcon}<input
      type="search"
      name="q"
      value="${q}"
      placeholder="${texts.layout.search(site.skills)}"
      aria-label="${label}"
      maxlength="100"
      autocomplete="off"
    />
  </form>`
}

function footer(site: Site, head: PageHead): Html {
  return html`<footer>
    <div class="wrap">
      <p>${site.mirror === null ? texts.layout.footer : texts.layout.mirror(site.mirror)}</p>
      <ul class="plain">
        <li><a href="${site.base}/api/blog/feed.xml">${texts.layout.footerLinks.feed}</a></li>
        <li>
          <a href="${site.base}${head.markdown ?? '/llms.txt'}">${texts.layout.footerLinks.markdown}</a>
        </li>
        <li><a href="${site.base}/openapi.json">${texts.layout.footerLinks.openapi}</a></li>
      </ul>
      ${head.path !== null && html`<p class="paper">${site.url}${head.path}</p>`}
    </div>
  </footer>`
}
