import { queryOptions } from '@tanstack/react-query'
import { deskMarkdownRoutes } from '../../../shared/contracts/desk-markdown.ts'
import type { MarkdownKind } from '../../../shared/contracts/desk-markdown.ts'
import { call } from './client.ts'

/** A text as the server's one Markdown pipeline renders it, within limits of time and memory that a page has not. */
export const renderedMarkdownQuery = (kind: MarkdownKind, markdown: string) =>
  queryOptions({
    queryKey: ['markdown', kind, markdown],
    queryFn: ({ signal }) => call(deskMarkdownRoutes.renderMarkdown, { body: { kind, markdown }, signal }),
    staleTime: Infinity,
  })
