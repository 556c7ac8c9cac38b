import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RenderOptions } from './render-options.ts'

export type { RenderOptions, ShownImage } from './render-options.ts'

/** Milliseconds that are rendered without a pause. */
const msAtOnce = 10

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
  let since = performance.now()
  for (const block of renderer.blocks) {
    html += renderer.render(block)
    if (performance.now() - since < msAtOnce) continue
    // oxlint-disable-next-line no-await-in-loop
    await nextTurn()
    since = performance.now()
  }
  return html
}
