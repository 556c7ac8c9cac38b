import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { largestStep } from '../../../../shared/contracts/images.ts'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { HtmlBlock } from '../../../../shared/contracts/desk-markdown.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { HtmlBlocks } from '../../../components/text/html-blocks.tsx'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { renderedMarkdownQuery } from '../../../lib/server/markdown.api.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { texts } from '../blog.texts.ts'
import { countWords, readingTime } from '../post-content.ts'
import classes from './post-preview.module.css'

/** Texts with more characters than this are rendered only after a pause in typing. */
const longText = 30_000
const noBlocks: readonly HtmlBlock[] = []

const { preview } = texts

interface Props {
  content: PostContent
  /** `Not published yet, Ilse Verbeek` */
  byline: string
  images: ReadonlyMap<string, Image>
  /** The caret's line, which the preview scrolls to. */
  line: number
}

/** The post as its public page will show it, rendered by the server with the same renderer. */
export function PostPreview({ content, byline, images, line }: Props) {
  const text = useDebounced(content.markdown, content.markdown.length > longText ? 150 : 0)
  const rendered = useQuery({
    ...renderedMarkdownQuery('post', text),
    placeholderData: keepPreviousData,
    // Every keystroke is a new query whose result is not needed again.
    gcTime: 0,
  })
  const blocks = rendered.data?.blocks ?? noBlocks
  const pane = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const currentIndex = blocks.findLastIndex(({ from }) => from <= line)
  const current = blocks[currentIndex]
  useEffect(() => {
    const block = current === undefined ? undefined : body.current?.children[currentIndex]
    if (pane.current !== null && block !== undefined) reveal(pane.current, block)
  }, [currentIndex, current])
  const cover = content.cover
  return (
    <section
      ref={pane}
      className={classes['preview']}
      aria-label={preview.label}
      tabIndex={0}
      data-ring="inside"
    >
      <p className={classes['what']}>{preview.title(readingTime(countWords(text)))}</p>
      <article className={classes['page']}>
        <h2 className={classes['title']}>{content.title.trim() === '' ? texts.untitled : content.title}</h2>
        {content.summary.trim() !== '' && <p className={classes['lead']}>{content.summary}</p>}
        <p className={classes['byline']}>{byline}</p>
        {cover !== null && (
          <LibraryImage
            className={classes['cover']}
            sha256={cover.sha256}
            step={largestStep}
            alt={cover.alt}
            width={images.get(cover.sha256)?.width}
            height={images.get(cover.sha256)?.height}
          />
        )}
        {rendered.error !== null && (
          <Failure error={rendered.error} what={preview.failed} retry={() => void rendered.refetch()} />
        )}
        <div ref={body} className={classes['text']}>
          <HtmlBlocks blocks={blocks} />
        </div>
      </article>
    </section>
  )
}

/** Scrolls just far enough to show the block, or its start. */
function reveal(pane: HTMLElement, block: Element): void {
  const outer = pane.getBoundingClientRect()
  const inner = block.getBoundingClientRect()
  const room = 24
  if (inner.top < outer.top + room) pane.scrollTop += inner.top - outer.top - room
  else if (inner.bottom > outer.bottom - room) {
    pane.scrollTop += Math.min(inner.bottom - outer.bottom + room, inner.top - outer.top - room)
  }
}
