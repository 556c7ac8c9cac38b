import { Textarea, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import { slugOf } from '../../../../shared/contracts/content.ts'
import { countCodePoints } from '../../../../shared/text.ts'
import { formatCount } from '../../../lib/format.ts'
import { useRested } from '../../../lib/time/use-rested.ts'
import { limits } from '../project-draft.ts'
import { projectSlugQuery } from '../showcase.api.ts'
import classes from './project-editor.module.css'

interface Props {
  id: number
  content: ProjectContent
  saved: ProjectContent
  problems: ReadonlyMap<string, string>
  /** Whether it was tried to save, so that everything that is wrong is said. */
  asked: boolean
  onChange: (part: Partial<ProjectContent>) => void
}

type Line = 'title' | 'tagline' | 'author'

const labels = { title: 'Title', tagline: 'In one sentence', author: 'Author' } as const

/** Title, address, author and text; what is wrong is said when a field is left. */
export function TextFields({ id, content, saved, problems, asked, onChange }: Props) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const leave = (place: string) => (): void => setLeft(new Set([...left, place]))
  const errorOf = (place: string): string | null =>
    asked || left.has(place) ? (problems.get(place) ?? null) : null
  const line = (place: Line): ReactNode => (
    <TextInput
      label={<Label text={labels[place]} value={content[place]} most={limits[place]} />}
      value={content[place]}
      error={errorOf(place)}
      onBlur={leave(place)}
      onChange={(event) => onChange({ [place]: event.currentTarget.value })}
    />
  )
  return (
    <div className={classes['fields']}>
      {line('title')}
      <SlugField
        id={id}
        content={content}
        saved={saved.slug}
        error={errorOf('slug')}
        onBlur={leave('slug')}
        onChange={(slug) => onChange({ slug })}
      />
      {line('tagline')}
      {line('author')}
      <Textarea
        className={classes['text'] ?? ''}
        label={<Label text="Description, in Markdown" value={content.markdown} most={limits.markdown} />}
        rows={14}
        value={content.markdown}
        error={errorOf('markdown')}
        onBlur={leave('markdown')}
        onChange={(event) => onChange({ markdown: event.currentTarget.value })}
      />
    </div>
  )
}

/** A label with how much of the field is used. */
export function Label({ text, value, most }: { text: string; value: string; most: number }) {
  return (
    <span className={classes['label']}>
      {text}
      <span aria-hidden>
        {formatCount(countCodePoints(value.trim()))} of {formatCount(most)}
      </span>
    </span>
  )
}

interface SlugProps {
  id: number
  content: ProjectContent
  saved: string
  error: string | null
  onBlur: () => void
  onChange: (slug: string) => void
}

/** The last part of the public address, with whether it can be had. */
function SlugField({ id, content, saved, error, onBlur, onChange }: SlugProps) {
  const { slug, title } = content
  const rested = useRested(slug, 250)
  const check = useQuery({
    ...projectSlugQuery(rested, id),
    enabled: rested !== '' && rested.length <= limits.slug,
  })
  const known = rested === slug ? check.data : undefined
  const made = slugOf(title)
  const suggestion = known?.suggestion ?? (made !== '' && made !== slug && slug === saved ? made : null)
  return (
    <TextInput
      className={classes['mono'] ?? ''}
      label={<Label text="Address, after /showcase/" value={slug} most={limits.slug} />}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={slug}
      spellCheck={false}
      autoComplete="off"
      error={
        error ?? (known?.free === false && known.problem === 'is taken' ? 'Another project has it.' : null)
      }
      description={
        <>
          {known?.free === true && (
            <span className={classes['checked']} data-free>
              <IconCheck size={14} stroke={1.75} aria-hidden /> free
            </span>
          )}
          {suggestion !== null && known?.free !== true && `${suggestion} is free.`}
        </>
      }
      onBlur={onBlur}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
