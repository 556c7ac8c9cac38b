import { Marked } from 'marked'
import { imageReferencePrefix, uploadReferencePrefix } from '../../shared/contracts/content.ts'
import type { HtmlBlock } from '../../shared/contracts/desk-markdown.ts'
import { safeAddress, sanitize } from './allowed-html.ts'
import { asSource, inChunks, escapeHtml, visibleFor } from './escape-html.ts'
import { isTooDeep } from './nesting-depth.ts'
import type { DeskImage, RenderOptions, ShownImage } from './render-options.ts'

/** More than ten times the longest text. References to long addresses could inflate the HTML without limit. */
const maxCharacters = 4_000_000
/** Tags per block and per text: what a browser lays out within 50 ms and within a second. */
const maxTagsOfBlock = 2000
const maxTags = 40_000

/**
 * Converts each block of Markdown to HTML without scripts, styles, forms, raw HTML or external images; a block with
 * too many elements is shown as source. Throws if the text is nested too deeply, becomes too long or breaks the
 * parser. It may take very long, so it only runs in the worker of `markdown-reader.ts`, which can be terminated.
 */
export function markdownToHtml(markdown: string, options: RenderOptions): HtmlBlock[] {
  if (isTooDeep(markdown)) throw new Error('The text is nested too deeply.')
  const marked = createMarked(options)
  const visible = visibleFor(options)
  const blocks: HtmlBlock[] = []
  let characters = 0
  let tags = 0
  let line = 1
  for (const token of marked.lexer(markdown)) {
    const rendered = sanitize(marked.parser([token]))
    const html = countTags(rendered) > maxTagsOfBlock ? asSource(token.raw, visible) : rendered
    characters += html.length
    tags += countTags(html)
    if (characters > maxCharacters || tags > maxTags) throw tooLong()
    if (html !== '') blocks.push({ html, from: line })
    line += token.raw.split('\n').length - 1
  }
  return blocks
}

const countTags = (html: string): number => html.split('<').length - 1

const tooLong = (): Error =>
  new Error(`The text becomes more than ${maxCharacters} characters or ${maxTags} tags of HTML.`)

function createMarked(options: RenderOptions): Marked {
  const { audience = 'public', images } = options
  const visible = visibleFor(options)
  const headingLevel = createOutline(audience === 'reviewer' ? 3 : 2)
  const newTab = audience === 'public' ? '' : ' target="_blank"'
  let characters = 0
  const counted = (html: string): string => {
    characters += html.length
    if (characters > maxCharacters) throw tooLong()
    return html
  }
  const link = (href: string, inner: string): string => {
    const address = safeAddress(href)
    return counted(
      address === null
        ? `${inner} <code>${visible(href)}</code>`
        : `<a href="${escapeHtml(address)}"${newTab} rel="noopener noreferrer nofollow ugc">${inner}</a>`,
    )
  }
  return new Marked({
    gfm: true,
    async: false,
    renderer: {
      // Raw HTML is shown as text.
      html: ({ text }) => visible(text),
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens)
        // Readers see decoded character references, reviewers see the source.
        return audience === 'reviewer' && visible(token.text)
      },
      codespan: ({ text }) => `<code>${visible(text)}</code>`,
      link({ href, tokens }) {
        return link(href, this.parser.parseInline(tokens))
      },
      // External images are not loaded; they become links.
      image({ href, text }) {
        if (audience === 'author' && href.startsWith(uploadReferencePrefix)) {
          const name = href.slice(uploadReferencePrefix.length)
          return counted(`<span class="pending-upload">${escapeHtml(name)} is not uploaded yet</span>`)
        }
        if (!href.startsWith(imageReferencePrefix)) return link(href, visible(text === '' ? href : text))
        const shown = images?.get(href.slice(imageReferencePrefix.length))
        return shown === undefined ? visible(text) : counted(imageElement(shown, text))
      },
      code({ text, lang }) {
        const language = /^[\w+#.-]{1,30}/.exec(lang ?? '')?.[0]
        const marked = language === undefined ? '' : ` class="language-${escapeHtml(language)}"`
        return `<pre tabindex="0"><code${marked}>${inChunks(`${text}\n`, visible)}</code></pre>\n`
      },
      heading({ tokens, depth }) {
        const level = headingLevel(depth)
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    },
  })
}

/** Assigns heading levels from `top`, in text order and without gaps, whatever depths the text uses. */
function createOutline(top: number): (depth: number) => number {
  const above: number[] = []
  return (depth) => {
    while ((above.at(-1) ?? 0) >= depth) above.pop()
    above.push(depth)
    return Math.min(6, top + above.length - 1)
  }
}

function imageElement(shown: ShownImage | DeskImage, alt: string): string {
  const { width, height } = shown
  const size = `alt="${escapeHtml(alt)}" width="${width}" height="${height}"`
  if ('sha256' in shown) return `<img data-image="${shown.sha256}" ${size}>`
  const { src, srcset, sizes } = shown
  const more = [
    ...(srcset === undefined ? [] : [` srcset="${escapeHtml(srcset)}"`]),
    ...(sizes === undefined ? [] : [` sizes="${escapeHtml(sizes)}"`]),
  ]
  return `<img src="${escapeHtml(src)}"${more.join('')} ${size} loading="lazy" decoding="async">`
}
