import type { MarkdownReader } from '../content/markdown-reader.ts'
import type { RenderOptions } from '../content/render-options.ts'
import { Html } from './html.ts'

/** Markdown as a part of a page. Whatever levels its headings have, they go on below the page's own without a gap. */
export async function renderText(
  reader: Pick<MarkdownReader, 'render'>,
  markdown: string,
  pictures: NonNullable<RenderOptions['pictures']> = new Map(),
): Promise<Html> {
  return new Html(outline(await reader.render(markdown, { headingShift: 0, pictures })))
}

/** Sanitised HTML holds a heading as exactly this; what somebody wrote as HTML is escaped. */
const headings = /<(\/?)h([1-6])>/g

function outline(text: string): string {
  const above: number[] = []
  let level = 2
  return text.replaceAll(headings, (_, slash: string, depthText: string) => {
    if (slash === '') {
      const depth = Number(depthText)
      while ((above.at(-1) ?? 0) >= depth) above.pop()
      above.push(depth)
      level = Math.min(6, above.length + 1)
    }
    return `<${slash}h${level}>`
  })
}
