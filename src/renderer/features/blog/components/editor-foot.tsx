import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import { maxMarkdownCharacters } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { formatCount } from '../../../lib/format.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { texts } from '../blog.texts.ts'
import type { Caret } from '../markdown-editor/markdown-field.tsx'
import { countWords } from '../post-content.ts'
import { useSlug } from '../use-slug.ts'
import classes from './editor-foot.module.css'

const { foot } = texts

interface Props {
  post: DeskPost
  content: PostContent
  caret: Caret
  onDetails: () => void
}

/** Status bar: URL, tags and cover, the length of the text and the caret's position. */
export function EditorFoot({ post, content, caret, onDetails }: Props) {
  const slug = useSlug(post.id, content.slug)
  const text = useDebounced(content.markdown, 200)
  const isOwn = post.url?.endsWith(`/blog/${content.slug}`) === true
  const near = text.length > maxMarkdownCharacters * 0.9
  return (
    <footer className={classes['foot']} role="group" aria-label={foot.label}>
      <button type="button" className={classes['part']} onClick={onDetails} data-ring="inside">
        {foot.url} {content.slug === '' ? foot.noUrl : <code>/blog/{content.slug}</code>}
        {slug.state === 'free' && !isOwn && (
          <span className={classes['check']} data-ink="ok">
            <IconCheck size={14} stroke={1.75} aria-hidden /> {foot.available}
          </span>
        )}
        {slug.state === 'taken' && (
          <span className={classes['check']} data-ink="bad">
            <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> {foot.taken}
          </span>
        )}
      </button>
      <button type="button" className={classes['part']} onClick={onDetails} data-ring="inside">
        {foot.tags} <b>{foot.tagList(content.tags)}</b>
      </button>
      <button type="button" className={classes['part']} onClick={onDetails} data-ring="inside">
        {foot.cover} <b>{content.cover === null ? foot.coverNone : foot.coverSet}</b>
      </button>
      <span className={classes['end']}>
        {near && (
          <span data-ink={text.length > maxMarkdownCharacters ? 'bad' : undefined}>
            {foot.characters(formatCount(text.length), formatCount(maxMarkdownCharacters))}
          </span>
        )}
        <span>{foot.words(countWords(text))}</span>
        <span>{foot.caret(caret.line, caret.column)}</span>
      </span>
    </footer>
  )
}
