import { queryOptions } from '@tanstack/react-query'
import { deskMarkdownRoutes } from '../../../shared/contracts/desk-markdown.ts'
import type { MarkdownKind } from '../../../shared/contracts/desk-markdown.ts'
import { call } from './client.ts'

/** Markdown rendered by the server, which limits time and memory as a page cannot. */
export const renderedMarkdownQuery = (kind: MarkdownKind, markdown: string) =>
  queryOptions({
    queryKey: ['markdown', kind, markdown],
    queryFn: ({ signal }) => call(deskMarkdownRoutes.renderMarkdown, { body: { kind, markdown }, signal }),
    staleTime: Infinity,
  })
