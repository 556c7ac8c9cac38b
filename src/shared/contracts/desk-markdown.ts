import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { maxMarkdownCharacters } from './content.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

/** The kinds of text: a release's readme, a project's description or a post. */
const markdownKinds = ['readme', 'description', 'post'] as const
export type MarkdownKind = (typeof markdownKinds)[number]

const htmlBlockSchema = z.strictObject({
  /** Sanitized. */
  html: z.string(),
  /** The line of the Markdown where the block begins, from 1. */
  from: z.int(),
})
export type HtmlBlock = z.infer<typeof htmlBlockSchema>

export const deskMarkdownRoutes = {
  renderMarkdown: route('POST /desk/api/markdown', 'person', {
    summary:
      'Render Markdown as on the public pages; text that cannot be rendered is returned escaped, as written',
    body: json(
      z.strictObject({ kind: z.enum(markdownKinds), markdown: z.string().max(maxMarkdownCharacters) }),
      // JSON needs at most six bytes per character.
      6 * maxMarkdownCharacters + 1024,
    ),
    reply: reply(z.strictObject({ blocks: z.array(htmlBlockSchema) }), 'The rendered blocks'),
    errors: ['MARKDOWN_UNAVAILABLE'],
  }),
}
