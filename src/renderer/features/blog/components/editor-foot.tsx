import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import { maxMarkdownCharacters } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useRested } from '../../../lib/time/use-rested.ts'
import type { Caret } from '../markdown-editor/markdown-field.tsx'
import { countWords, describeTags } from '../post-content.ts'
import { useSlug } from '../use-slug.ts'
import classes from './editor-foot.module.css'

interface Props {
  post: DeskPost
  content: PostContent
  caret: Caret
  onDetails: () => void
}

/** What the panels hold, in one line: address, tags, cover; how long the text is and where one is in it. */
export function EditorFoot({ post, content, caret, onDetails }: Props) {
  const slug = useSlug(post.id, content.slug)
  const text = useRested(content.markdown, 200)
  const isOwn = post.url?.endsWith(`/blog/${content.slug}`) === true
  const near = text.length > maxMarkdownCharacters * 0.9
  return (
    <footer className={classes['foot']} role="group" aria-label="The post in short">
      <button type="button" className={classes['part']} onClick={onDetails} data-ring="inside">
        Address {content.slug === '' ? 'none yet' : <code>/blog/{content.slug}</code>}
        {slug.state === 'free' && !isOwn && (
          <span className={classes['free']}>
            <IconCheck size={14} stroke={1.75} aria-hidden /> free
          </span>
        )}
        {slug.state === 'taken' && (
          <span className={classes['taken']}>
            <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> taken
          </span>
        )}
      </button>
      <button type="button" className={classes['part']} onClick={onDetails} data-ring="inside">
        Tags <b>{describeTags(content.tags)}</b>
      </button>
      <button type="button" className={classes['part']} onClick={onDetails} data-ring="inside">
        Cover <b>{content.cover === null ? 'none' : 'chosen'}</b>
      </button>
      <span className={classes['end']}>
        {near && (
          <span className={text.length > maxMarkdownCharacters ? classes['taken'] : undefined}>
            {formatCount(text.length)} of {formatCount(maxMarkdownCharacters)} characters
          </span>
        )}
        <span>{plural(countWords(text), 'word')}</span>
        <span>
          Ln {caret.line}, Col {caret.column}
        </span>
      </span>
    </footer>
  )
}
