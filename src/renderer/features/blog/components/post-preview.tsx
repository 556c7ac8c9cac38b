import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { LibraryImage } from '../../../components/library-image.tsx'
import { SanitizedHtml } from '../../../components/sanitized-html.tsx'
import { createContentRenderer } from '../../../lib/content-markdown.ts'
import type { ShownPicture } from '../../../lib/content-markdown.ts'
import { useRested } from '../../../lib/use-rested.ts'
import { digestOf, uploadingPrefix } from '../picture-references.ts'
import { countWords, readingTime } from '../post-content.ts'
import type { PendingPicture } from '../use-uploads.ts'
import classes from './post-preview.module.css'

/** Characters from which on the preview waits for a rest. */
const longText = 30_000

interface Props {
  content: PostContent
  /** `not published yet, Ilse Verbeek` */
  byline: string
  images: ReadonlyMap<string, Image>
  pending: ReadonlyMap<string, PendingPicture>
  /** The line of the caret, which stays in sight. */
  line: number
}

/** The post in the words and measures of its public page. */
export function PostPreview({ content, byline, images, pending, line }: Props) {
  const text = useDeferredValue(useRested(content.markdown, content.markdown.length > longText ? 150 : 0))
  // Progress is told many times a second, and seldom in other words.
  const waitsKey = JSON.stringify([...pending].map(([target, one]) => [target, waitsOf(one)]))
  const [render] = useState(createContentRenderer)
  const blocks = useMemo(() => {
    const waits = new Map(JSON.parse(waitsKey) as [string, string][])
    return render(text, (reference) => showPicture(reference, images, waits))
  }, [render, text, images, waitsKey])
  const shown = useMemo(
    () =>
      blocks.map(({ html }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={index} html={html} />
      )),
    [blocks],
  )
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
        <div ref={body} className={classes['text']}>
          {shown}
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

/** `html` is made by createContentRenderer, which lets no script, style or address but those of links through. */
const Block = memo(SanitizedHtml)

function waitsOf({ file, progress, failure }: PendingPicture): string {
  if (failure !== null) return `${file.name} was not uploaded.`
  const percent = progress.total === 0 ? 0 : Math.floor((progress.sent / progress.total) * 100)
  return `${file.name} is being uploaded, ${percent} %`
}

function showPicture(
  reference: string,
  images: ReadonlyMap<string, Image>,
  waits: ReadonlyMap<string, string>,
): ShownPicture {
  const digest = digestOf(reference)
  if (digest === null) {
    return { waits: waits.get(reference) ?? `${reference.slice(uploadingPrefix.length)} was not uploaded.` }
  }
  const image = images.get(digest)
  return image === undefined
    ? { sha256: digest }
    : { sha256: digest, width: image.width, height: image.height }
}
