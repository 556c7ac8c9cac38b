import type { MarkdownReader } from '../content/markdown-reader.ts'
import type { RenderOptions } from '../content/render-options.ts'
import { Html } from './html.ts'

/** Renders Markdown for a page, with its headings below the page's own. */
export async function renderText(
  reader: Pick<MarkdownReader, 'render'>,
  markdown: string,
  images: NonNullable<RenderOptions['images']> = new Map(),
): Promise<Html> {
  return new Html(await reader.render(markdown, { images }))
}
