import { Marked } from 'marked'
import type { Token } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { imageReferencePrefix } from '../../shared/contracts/content.ts'
import { escapeHtml } from './escape-html.ts'
import { isTooDeep } from './is-too-deep.ts'
import type { RenderOptions, ShownImage } from './render-options.ts'

/** What is rendered in one piece. */
interface Block {
  length: number
  tokens: Token[] | null
  raw: string
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

const digest = /^[a-f0-9]{64}$/

/**
 * Characters of one paragraph that are gone through for its emphasis. Each mark costs what is left of the paragraph;
 * where a text is made of little else, the marks behind that stay as they are written.
 */
const emphasisCharacters = 2_000_000

/** Gives up on emphasis, of each paragraph for itself. */
function limitEmphasis(): (src: string, paragraph: string) => false | undefined {
  let current = ''
  let left = 0
  return (src, paragraph) => {
    if (paragraph !== current) {
      current = paragraph
      left = emphasisCharacters
    }
    left -= src.length
    return left < 0 ? undefined : false
  }
}

/** What an address without brackets begins with; the search for it would go through all of a long word. */
const mayBeAddress = /^(?:https?:|ftp:|www\.|mailto:|xmpp:|[\w.+-]{1,64}@)/i

function createMarked({ image, headingShift = 1 }: RenderOptions): Marked {
  return new Marked({
    gfm: true,
    async: false,
    // False leaves it to the usual reading, nothing leaves it as text.
    tokenizer: { emStrong: limitEmphasis(), url: (src) => (mayBeAddress.test(src) ? false : undefined) },
    renderer: {
      // HTML is shown, never run.
      html: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens))
      },
      image({ href, text }) {
        if (!href.startsWith(imageReferencePrefix)) return link(href, escapeHtml(text === '' ? href : text))
        const sha256 = href.slice(imageReferencePrefix.length)
        const shown = digest.test(sha256) ? (image?.(sha256) ?? null) : null
        return shown === null ? escapeHtml(text) : picture(shown, text)
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

/** Markdown in blocks, each of which renders to HTML of its own. */
export function createRenderer(
  markdown: string,
  options: RenderOptions,
): { blocks: Block[]; render(block: Block): string } {
  const marked = createMarked(options)
  const asWritten = (text: string): string => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`
  return {
    blocks: blocksOf(marked, markdown),
    render({ tokens, raw }) {
      if (tokens === null) return asWritten(raw)
      try {
        return sanitizeHtml(marked.parser(tokens), policy)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        return asWritten(raw)
      }
    },
  }
}

/** Marked gives up on thousands of levels with a RangeError; such a text is one block without tokens. */
function blocksOf(marked: Marked, markdown: string): Block[] {
  const whole = [{ length: markdown.length, tokens: null, raw: markdown }]
  if (isTooDeep(markdown)) return whole
  try {
    return marked
      .lexer(markdown)
      .map((token) => ({ length: token.raw.length, tokens: [token], raw: token.raw }))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return whole
  }
}
