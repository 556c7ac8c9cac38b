import { useMemo } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import { LineDiff } from '../../../components/text/line-diff.tsx'
import { TextDiff } from '../../../components/text/text-diff.tsx'
import { diffLines } from '../../../../shared/diff/text-diff.ts'
import classes from './content-diff.module.css'

interface Props {
  before: PostContent
  after: PostContent
  label: string
}

const fields: readonly { name: string; read: (content: PostContent) => string }[] = [
  { name: 'Title', read: ({ title }) => title.trim() },
  { name: 'Address', read: ({ slug }) => slug },
  { name: 'Summary', read: ({ summary }) => summary.trim() },
  { name: 'Tags', read: ({ tags }) => tags.join(', ') },
  { name: 'Cover', read: ({ cover }) => (cover === null ? '' : `${cover.sha256.slice(0, 8)}… ${cover.alt}`) },
]

/** What differs between two states of a post: the text by lines, the rest by words. */
export function ContentDiff({ before, after, label }: Props) {
  const lines = useMemo(() => diffLines(before.markdown, after.markdown), [before.markdown, after.markdown])
  const changed = fields.filter(({ read }) => read(before) !== read(after))
  const isSameText = lines.added === 0 && lines.removed === 0
  if (isSameText && changed.length === 0) return <p className={classes['same']}>They are the same.</p>
  return (
    <div className={classes['diff']} role="group" aria-label={label}>
      {changed.length > 0 && (
        <dl>
          {changed.map(({ name, read }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <TextDiff before={read(before)} after={read(after)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isSameText ? (
        <p className={classes['same']}>The text is the same.</p>
      ) : (
        <LineDiff diff={lines} label="Differences in the text" />
      )}
    </div>
  )
}
