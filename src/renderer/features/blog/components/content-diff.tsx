import { useMemo } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import { LineDiff } from '../../../components/text/line-diff.tsx'
import { TextDiff } from '../../../components/text/text-diff.tsx'
import { diffLines } from '../../../../shared/diff/text-diff.ts'
import { texts } from '../blog.texts.ts'
import classes from './content-diff.module.css'

interface Props {
  before: PostContent
  after: PostContent
  label: string
}

const { diff } = texts

const fields: readonly { name: string; read: (content: PostContent) => string }[] = [
  { name: diff.fields.title, read: ({ title }) => title.trim() },
  { name: diff.fields.slug, read: ({ slug }) => slug },
  { name: diff.fields.summary, read: ({ summary }) => summary.trim() },
  { name: diff.fields.tags, read: ({ tags }) => tags.join(', ') },
  {
    name: diff.fields.cover,
    read: ({ cover }) => (cover === null ? '' : `${cover.sha256.slice(0, 8)}… ${cover.alt}`),
  },
]

/** The differences between two versions of a post: its text by line, the other fields by word. */
export function ContentDiff({ before, after, label }: Props) {
  const lines = useMemo(() => diffLines(before.markdown, after.markdown), [before.markdown, after.markdown])
  const changed = fields.filter(({ read }) => read(before) !== read(after))
  const isSameText = lines.added === 0 && lines.removed === 0
  if (isSameText && changed.length === 0) return <p data-ink="calm">{diff.none}</p>
  return (
    <div className={classes['diff']} role="group" aria-label={label}>
      {changed.length > 0 && (
        <dl>
          {changed.map(({ name, read }) => (
            <div key={name}>
              <dt data-ink="calm">{name}</dt>
              <dd>
                <TextDiff before={read(before)} after={read(after)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isSameText ? <p data-ink="calm">{diff.sameText}</p> : <LineDiff diff={lines} label={diff.text} />}
    </div>
  )
}
