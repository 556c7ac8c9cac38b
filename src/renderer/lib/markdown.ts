import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import type { Tokens, TokensList } from 'marked'
import { textPieces } from './text-pieces.ts'

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

/** Escaped text in which hidden characters stand as their numbers. */
function visible(text: string): string {
  return textPieces(text)
    .map((piece) =>
      'text' in piece ? escape(piece.text) : `<span class="hidden-character">${piece.code}</span>`,
    )
    .join('')
}

/** Only addresses that lead out of the desk on purpose; everything else stays text. */
function safeAddress(href: string): string | null {
  const url = URL.parse(href)
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}

const libraryPicture = /^image:([a-f0-9]{64})$/

function link(href: string, inner: string): string {
  const address = safeAddress(href)
  if (address === null) return `${inner} <code>${visible(href)}</code>`
  return `<a href="${escape(address)}" target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`
}

/** With `pictures` those of the library are shown, which no readme can name. */
const createMarked = (pictures: boolean): Marked =>
  new Marked({
    gfm: true,
    async: false,
    renderer: {
      // HTML in a readme is shown, never run.
      html: ({ text }) => visible(text),
      text(token) {
        return 'tokens' in token && token.tokens !== undefined
          ? this.parser.parseInline(token.tokens)
          : visible(token.text)
      },
      codespan: ({ text }) => `<code>${visible(text)}</code>`,
      code: ({ text }) => `<pre tabindex="0"><code>${visible(text)}</code></pre>`,
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens))
      },
      // Nothing is fetched from outside: a picture is a link to where it lies.
      image({ href, text }) {
        const digest = pictures ? libraryPicture.exec(href)?.[1] : undefined
        if (digest === undefined) return link(href, `picture: ${visible(text === '' ? href : text)}`)
        return `<img data-picture="${digest}" alt="${escape(text)}">`
      },
      // The release's own headings stand above those of its readme.
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + 2)
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
      },
      checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    },
  })

const allowed =
  'a b blockquote br code del em h3 h4 h5 h6 hr i li ol p pre s span strong table tbody td th thead tr ul'.split(
    ' ',
  )

/** A text that begins with `##` has its headings right below those of the page, and leaves out no level. */
function raiseHeadings(marked: Marked, tokens: TokensList): void {
  const headings: Tokens.Heading[] = []
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') headings.push(token as Tokens.Heading)
  })
  const top = Math.min(...headings.map(({ depth }) => depth))
  for (const heading of headings) heading.depth -= top - 1
}

const attributes = ['href', 'target', 'rel', 'class', 'tabindex', 'start', 'align']

const plain = createMarked(false)
const pictured = createMarked(true)

/** A text as HTML without scripts, forms or styles; with pictures of the library only, and only where asked for. */
export function renderMarkdown(source: string, pictures = false): string {
  const marked = pictures ? pictured : plain
  const tokens = marked.lexer(source)
  raiseHeadings(marked, tokens)
  const html = marked.parser(tokens)
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: pictures ? [...allowed, 'img'] : allowed,
    ALLOWED_ATTR: pictures ? [...attributes, 'data-picture', 'alt'] : attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
}
