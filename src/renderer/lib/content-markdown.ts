import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import type { Token } from 'marked'

/** A picture that Markdown names, as it can be shown now. */
export type ShownPicture = { sha256: string; width?: number; height?: number } | { waits: string }

/** How a reference, `image:SHA256` or `uploading:NAME`, can be shown; null where only its text can. */
export type ShowPicture = (reference: string) => ShownPicture | null

/** A part of a text that is shown by itself, so that only what was changed is made anew. */
export interface ContentBlock {
  html: string
  /** Its lines in the Markdown, from 1; `to` is the last. */
  from: number
  to: number
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
}

function link(href: string, inner: string): string {
  const url = URL.parse(href)
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    return `${inner} <code>${escape(href)}</code>`
  }
  return `<a href="${escape(url.href)}" target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`
}

function picture(shown: ShownPicture, alt: string): string {
  if ('waits' in shown) return `<span class="picture-waits">${escape(shown.waits)}</span>`
  const size =
    shown.width === undefined || shown.height === undefined
      ? ''
      : ` width="${shown.width}" height="${shown.height}"`
  return `<img data-picture="${escape(shown.sha256)}" alt="${escape(alt)}"${size}>`
}

const policy = {
  ALLOWED_TAGS:
    'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead tr ul'.split(
      ' ',
    ),
  ALLOWED_ATTR: [
    'href',
    'target',
    'rel',
    'class',
    'tabindex',
    'start',
    'align',
    'data-picture',
    'alt',
    'width',
    'height',
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

/**
 * Renders Markdown in the words of the public pages: no scripts, styles, forms, raw HTML or pictures from
 * elsewhere. What was rendered the last time is kept, so that a key in a long text costs one of its blocks.
 */
export function createContentRenderer(): (markdown: string, show: ShowPicture) => ContentBlock[] {
  // Whether what is being rendered depends on more than its text.
  let depends = false
  let showPicture: ShowPicture = () => null
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      html: ({ text }) => escape(text),
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens))
      },
      image({ href, text }) {
        if (!/^(?:image|uploading):/.test(href)) return link(href, escape(text === '' ? href : text))
        depends = true
        const shown = showPicture(href)
        return shown === null ? escape(text) : picture(shown, text)
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escape(text)}\n</code></pre>`,
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + 1)
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
      },
      checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    },
  })
  let kept = new Map<string, string>()
  let keptLinks = ''

  return (markdown, show) => {
    showPicture = show
    const tokens = lex(marked, markdown)
    if (tokens === null) return [{ html: asWritten(markdown), from: 1, to: lineCount(markdown) }]
    // A definition further down may change any block.
    const links = JSON.stringify(tokens.links)
    const before = links === keptLinks ? kept : new Map<string, string>()
    kept = new Map()
    keptLinks = links
    let line = 1
    const blocks: ContentBlock[] = []
    for (const token of tokens) {
      const lines = lineCount(token.raw) - 1
      if (token.type !== 'space') {
        depends = false
        const html = before.get(token.raw) ?? render(marked, token)
        if (!depends) kept.set(token.raw, html)
        blocks.push({ html, from: line, to: line + lines })
      }
      line += lines
    }
    return blocks
  }
}

function lex(marked: Marked, markdown: string) {
  try {
    return marked.lexer(markdown)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return null
  }
}

/** Thousands of levels end in a RangeError; such a block is shown as it is written. */
function render(marked: Marked, token: Token): string {
  try {
    return DOMPurify.sanitize(marked.parser([token]), policy)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return asWritten(token.raw)
  }
}

function asWritten(text: string): string {
  return `<pre tabindex="0"><code>${escape(text)}</code></pre>`
}

function lineCount(text: string): number {
  return text.split('\n').length
}
