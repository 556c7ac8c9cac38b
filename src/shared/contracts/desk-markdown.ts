import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { maxMarkdownCharacters } from './content.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** What is rendered: a release's readme, a project's description or a post. */
export const markdownKinds = ['readme', 'description', 'post'] as const
export type MarkdownKind = (typeof markdownKinds)[number]

export const htmlBlockSchema = z.strictObject({
  /** Sanitized. */
  html: z.string(),
  /** The line of the Markdown that it begins in, from 1. */
  from: z.int(),
})
export type HtmlBlock = z.infer<typeof htmlBlockSchema>

export const deskMarkdownRoutes = {
  renderMarkdown: route({
    method: 'POST',
    path: '/desk/api/markdown',
    tag: 'Desk',
    summary:
      'Render Markdown as the public pages do; a text that cannot be rendered comes back as written, escaped',
    access: 'administrator',
    body: json(
      z.strictObject({ kind: z.enum(markdownKinds), markdown: z.string().max(maxMarkdownCharacters) }),
      // A character takes at most six bytes of JSON.
      6 * maxMarkdownCharacters + 1024,
    ),
    reply: reply(z.strictObject({ blocks: z.array(htmlBlockSchema) }), 'Its blocks'),
    errors: ['MARKDOWN_UNAVAILABLE', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
}
