import { setImmediate as nextTurn } from 'node:timers/promises'

/** A picture of the library as a page shows it. */
export interface ShownImage {
  src: string
  /** Upright, of the picture in `src`. */
  width: number
  height: number
  srcset?: string
  sizes?: string
}

export interface RenderOptions {
  /** Where the picture that Markdown names by its digest is; null where it must not or cannot be shown. */
  image?(sha256: string): ShownImage | null
  /** How many levels the headings stand below those of the Markdown, for the page has its own above them. */
  headingShift?: number
}

/** Characters that are rendered without a pause; a few milliseconds. */
const charactersAtOnce = 20_000

/**
 * Markdown as HTML that can stand in a page: no scripts, styles, forms, raw HTML or pictures from elsewhere.
 * A picture of the library is `![alt](image:SHA256)`; any other picture, and one that is not found, is a link
 * or its alternative text. What cannot be read as Markdown is shown as it is written.
 */
export async function renderMarkdown(markdown: string, options: RenderOptions = {}): Promise<string> {
  // Loaded with the first text, so that starting does not pay for it.
  const { createRenderer } = await import('./markdown-to-html.ts')
  const renderer = createRenderer(markdown, options)
  let html = ''
  let rendered = 0
  for (const block of renderer.blocks) {
    html += renderer.render(block)
    rendered += block.length
    if (rendered < charactersAtOnce) continue
    rendered = 0
    // oxlint-disable-next-line no-await-in-loop
    await nextTurn()
  }
  return html
}
