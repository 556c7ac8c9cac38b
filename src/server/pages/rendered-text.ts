import { renderMarkdown } from '../content/render-markdown.ts'
import type { RenderOptions } from '../content/render-markdown.ts'
import { Html } from './html.ts'

/** Markdown as a part of a page. Whatever levels its headings have, they go on below the page's own without a gap. */
export async function renderText(
  markdown: string,
  image?: NonNullable<RenderOptions['image']>,
): Promise<Html> {
  const options = { headingShift: 0, ...(image === undefined ? {} : { image }) }
  return new Html(outline(await renderMarkdown(markdown, options)))
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
