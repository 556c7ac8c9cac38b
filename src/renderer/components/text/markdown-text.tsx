import { useQuery } from '@tanstack/react-query'
import type { MarkdownKind } from '../../../shared/contracts/desk-markdown.ts'
import { lineChunks } from '../../../shared/line-chunks.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import { renderedMarkdownQuery } from '../../lib/server/markdown.api.ts'
import { Bones } from '../feedback/bones.tsx'
import { HtmlBlocks } from './html-blocks.tsx'
import classes from './markdown-text.module.css'
import { PlainText } from './plain-text.tsx'

interface Props {
  kind: MarkdownKind
  source: string
  /** Completes "Reading …". */
  what: string
}

/** Markdown as it reads; as written where the server cannot render it now. */
export function MarkdownText({ kind, source, what }: Props) {
  const { data, failureReason } = useQuery(renderedMarkdownQuery(kind, source))
  if (data !== undefined) {
    return (
      <div className={classes['markdown']}>
        <HtmlBlocks blocks={data.blocks} />
      </div>
    )
  }
  if (failureReason === null) return <Bones rows={5} what={what} />
  return (
    <>
      <p className={classes['note']} role="status">
        Shown as written. {asApiError(failureReason).message}
      </p>
      <MarkdownSource source={source} />
    </>
  )
}

/** Markdown as it was written. */
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
