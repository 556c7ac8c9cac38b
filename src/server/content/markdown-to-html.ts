import { Marked } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { imageReferencePrefix } from '../../shared/contracts/content.ts'
import { asWritten, escapeHtml } from './escape-html.ts'
import { isTooDeep } from './is-too-deep.ts'
import type { RenderOptions, ShownImage } from './render-options.ts'

/** What Markdown may become: ten times the longest text, and more. Names for long addresses could make it endless. */
const mostCharacters = 4_000_000

class TooLongError extends Error {
  override readonly name = 'TooLongError'
}

/** Counts what is made, and ends it where that is too much. */
function countCharacters(): (html: string) => string {
  let made = 0
  return (html) => {
    made += html.length
    if (made > mostCharacters) throw new TooLongError(`More than ${mostCharacters} characters of HTML`)
    return html
  }
}

/** Addresses that a page may lead to; everything else stays text. */
function safeAddress(href: string): string | null {
  const url = URL.parse(href)
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}

function link(href: string, inner: string): string {
  const address = safeAddress(href)
  if (address === null) return `${inner} <code>${escapeHtml(href)}</code>`
  return `<a href="${escapeHtml(address)}" rel="noopener noreferrer nofollow ugc">${inner}</a>`
}

function picture(shown: ShownImage, alt: string): string {
  const { src, width, height, srcset, sizes } = shown
  const more = [
    ...(srcset === undefined ? [] : [`srcset="${escapeHtml(srcset)}"`]),
    ...(sizes === undefined ? [] : [`sizes="${escapeHtml(sizes)}"`]),
  ]
  const attributes = [`src="${escapeHtml(src)}"`, `alt="${escapeHtml(alt)}"`, ...more]
  return `<img ${attributes.join(' ')} width="${width}" height="${height}" loading="lazy" decoding="async">`
}

function createMarked({ pictures, headingShift = 1 }: RenderOptions): Marked {
  const counted = countCharacters()
  return new Marked({
    gfm: true,
    async: false,
    renderer: {
      // HTML is shown, never run.
      html: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        return counted(link(href, this.parser.parseInline(tokens)))
      },
      image({ href, text }) {
        if (!href.startsWith(imageReferencePrefix)) {
          return counted(link(href, escapeHtml(text === '' ? href : text)))
        }
        const sha256 = href.slice(imageReferencePrefix.length)
        const shown = pictures?.get(sha256)
        return shown === undefined ? escapeHtml(text) : counted(picture(shown, text))
      },
      code({ text, lang }) {
        const language = /^[\w+#.-]{1,30}/.exec(lang ?? '')?.[0]
        const marked = language === undefined ? '' : ` class="language-${escapeHtml(language)}"`
        return `<pre tabindex="0"><code${marked}>${escapeHtml(text)}\n</code></pre>\n`
      },
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + headingShift)
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    },
  })
}

const cell = ['align']
const policy: sanitizeHtml.IOptions = {
  allowedTags:
    'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong table tbody td th thead tr ul'.split(
      ' ',
    ),
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    code: ['class'],
    pre: ['tabindex'],
    ol: ['start'],
    td: cell,
    th: cell,
  },
  allowedClasses: { code: [/^language-[\w+#.-]+$/] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
}

/**
 * Markdown as HTML that can stand in a page; what cannot be read as Markdown, or becomes too long, is shown as it is
 * written. Takes as long as it takes: only for the thread that can be ended.
 */
export function markdownToHtml(markdown: string, options: RenderOptions): string {
  if (isTooDeep(markdown)) return asWritten(markdown)
  try {
    const html = createMarked(options).parse(markdown, { async: false })
    return html.length > mostCharacters ? asWritten(markdown) : sanitizeHtml(html, policy)
  } catch (error) {
    // Marked gives up on thousands of levels with a RangeError.
    if (!(error instanceof RangeError) && !(error instanceof TooLongError)) throw error
    return asWritten(markdown)
  }
}
