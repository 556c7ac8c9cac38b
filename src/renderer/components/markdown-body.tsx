import { useMemo } from 'react'
import { renderMarkdown } from '../lib/markdown.ts'
import { SanitizedHtml } from './sanitized-html.tsx'
import classes from './markdown-body.module.css'

/** Markdown as it reads. What it is made of has gone through an allow list of plain elements. */
export function MarkdownBody({ source, pictures = false }: { source: string; pictures?: boolean }) {
  const html = useMemo(() => renderMarkdown(source, pictures), [source, pictures])
  return <SanitizedHtml className={classes['markdown']} html={html} />
}
