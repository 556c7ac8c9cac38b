import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { HtmlBlock } from '../../../../shared/contracts/desk-markdown.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { HtmlBlocks } from '../../../components/text/html-blocks.tsx'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { renderedMarkdownQuery } from '../../../lib/server/markdown.api.ts'
import { useRested } from '../../../lib/time/use-rested.ts'
import { countWords, readingTime } from '../post-content.ts'
import classes from './post-preview.module.css'

/** Characters from which on the preview waits for a rest. */
const longText = 30_000
const noBlocks: readonly HtmlBlock[] = []

interface Props {
  content: PostContent
  /** `not published yet, Ilse Verbeek` */
  byline: string
  images: ReadonlyMap<string, Image>
  /** The line of the caret, which stays in sight. */
  line: number
}

/** The post in the words and measures of its public page, rendered by the server as that is. */
export function PostPreview({ content, byline, images, line }: Props) {
  const text = useRested(content.markdown, content.markdown.length > longText ? 150 : 0)
  const rendered = useQuery({
    ...renderedMarkdownQuery('post', text),
    placeholderData: keepPreviousData,
    // Each text that is typed is another one.
    gcTime: 0,
  })
  const blocks = rendered.data?.blocks ?? noBlocks
  const pane = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const here = blocks.findLastIndex(({ from }) => from <= line)
  const current = blocks[here]
  useEffect(() => {
    const block = current === undefined ? undefined : body.current?.children[here]
    if (pane.current !== null && block !== undefined) reveal(pane.current, block)
  }, [here, current])
  const cover = content.cover
  return (
    <section ref={pane} className={classes['preview']} aria-label="Preview" tabIndex={0} data-ring="inside">
      <p className={classes['what']}>Preview, as the public page shows it; {readingTime(countWords(text))}</p>
      <article className={classes['page']}>
        <h2 className={classes['title']}>
          {content.title.trim() === '' ? 'Without a title' : content.title}
        </h2>
        {content.summary.trim() !== '' && <p className={classes['lead']}>{content.summary}</p>}
        <p className={classes['byline']}>{byline}</p>
        {cover !== null && (
          <LibraryImage
            className={classes['cover']}
            sha256={cover.sha256}
            step="large"
            alt={cover.alt}
            width={images.get(cover.sha256)?.width}
            height={images.get(cover.sha256)?.height}
          />
        )}
        {rendered.error !== null && (
          <Failure
            error={rendered.error}
            what="The preview cannot be updated"
            retry={() => void rendered.refetch()}
          />
        )}
        <div ref={body} className={classes['text']}>
          <HtmlBlocks blocks={blocks} />
        </div>
      </article>
    </section>
  )
}

/** Scrolls no further than is needed to see the block, or its beginning. */
function reveal(pane: HTMLElement, block: Element): void {
  const outer = pane.getBoundingClientRect()
  const inner = block.getBoundingClientRect()
  const room = 24
  if (inner.top < outer.top + room) pane.scrollTop += inner.top - outer.top - room
  else if (inner.bottom > outer.bottom - room) {
    pane.scrollTop += Math.min(inner.bottom - outer.bottom + room, inner.top - outer.top - room)
  }
}
