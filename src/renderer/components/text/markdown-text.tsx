import { useQuery } from '@tanstack/react-query'
import type { MarkdownKind } from '../../../shared/contracts/desk-markdown.ts'
import { lineChunks } from '../../../shared/line-chunks.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import { renderedMarkdownQuery } from '../../lib/server/markdown.api.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { HtmlBlocks } from './html-blocks.tsx'
import classes from './markdown-text.module.css'
import { PlainText } from './plain-text.tsx'

interface Props {
  kind: MarkdownKind
  source: string
  /** Completes "Loading …". */
  what: string
}

/** Rendered Markdown, or its source while the server cannot render it. */
export function MarkdownText({ kind, source, what }: Props) {
  const { data, failureReason } = useQuery(renderedMarkdownQuery(kind, source))
  if (data !== undefined) {
    return (
      <div className={classes['markdown']}>
        <HtmlBlocks blocks={data.blocks} />
      </div>
    )
  }
  if (failureReason === null) return <Skeleton rows={5} what={what} />
  return (
    <>
      <p className={classes['note']} data-text="note" role="status">
        Shown as plain text. {asApiError(failureReason).message}
      </p>
      <MarkdownSource source={source} />
    </>
  )
}

/** The source of a Markdown text. */
export function MarkdownSource({ source }: { source: string }) {
  return (
    <pre className={classes['source']} tabIndex={0}>
      {lineChunks(source).map((lines, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className="lines">
          <PlainText text={lines} />
        </span>
      ))}
    </pre>
  )
}
