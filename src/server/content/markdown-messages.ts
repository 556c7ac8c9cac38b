import type { HtmlBlock } from '../../shared/contracts/desk-markdown.ts'
import type { RenderOptions, Rewriting } from './render-options.ts'

/** What is made of a text: HTML for a page, or Markdown for a document. */
export type TextWork =
  | { kind: 'html'; markdown: string; options: RenderOptions }
  | { kind: 'document'; markdown: string; options: Rewriting }

export type Made = HtmlBlock[] | string

/** What the thread says. One text is in work at a time, so that an answer is to the last one. */
export type FromMarkdownWorker =
  | { type: 'ready' }
  | { type: 'made'; made: Made }
  | { type: 'failed'; message: string }
