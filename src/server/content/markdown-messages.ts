import type { HtmlBlock } from '../../shared/contracts/desk-markdown.ts'
import type { RenderOptions, Rewriting } from './render-options.ts'

/** A job: HTML for a page, or Markdown for a document. */
export type TextWork =
  | { kind: 'html'; markdown: string; options: RenderOptions }
  | { kind: 'document'; markdown: string; options: Rewriting }

export type TextResult = HtmlBlock[] | string

/** The worker's messages. It has one job at a time, so that an answer belongs to the latest job. */
export type FromMarkdownWorker =
  | { type: 'ready' }
  | { type: 'done'; result: TextResult }
  | { type: 'failed'; message: string }
