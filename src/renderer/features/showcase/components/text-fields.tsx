import { Textarea, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ProjectContent } from '../../../../shared/contracts/content.ts'
import { projectLimits as limits, slugOf } from '../../../../shared/contracts/content.ts'
import { FieldLabel } from '../../../components/form/field-label.tsx'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { projectSlugQuery } from '../showcase.api.ts'
import { texts } from '../showcase.texts.ts'
import classes from './project-editor.module.css'

interface Props {
  id: number
  content: ProjectContent
  saved: ProjectContent
  problems: ReadonlyMap<string, string>
  /** Whether saving was attempted, so that all problems are shown. */
  attempted: boolean
  onChange: (part: Partial<ProjectContent>) => void
}

type Line = 'title' | 'tagline' | 'author'

const { fields } = texts

/** Title, URL, tagline, author and description. Problems are shown once a field is left. */
export function TextFields({ id, content, saved, problems, attempted, onChange }: Props) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const leave = (place: string) => (): void => setLeft(new Set([...left, place]))
  const errorOf = (place: string): string | null =>
    attempted || left.has(place) ? (problems.get(place) ?? null) : null
  const line = (place: Line): ReactNode => (
    <TextInput
      label={<FieldLabel text={fields[place]} used={[content[place], limits[place]]} />}
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
        data-mono
        label={<FieldLabel text={fields.description} used={[content.markdown, limits.markdown]} />}
        rows={14}
        value={content.markdown}
        error={errorOf('markdown')}
        onBlur={leave('markdown')}
        onChange={(event) => onChange({ markdown: event.currentTarget.value })}
      />
    </div>
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

/** The last part of the public URL, with its availability. */
function SlugField({ id, content, saved, error, onBlur, onChange }: SlugProps) {
  const { slug, title } = content
  const debounced = useDebounced(slug, 250)
  const check = useQuery({
    ...projectSlugQuery(debounced, id),
    enabled: debounced !== '' && debounced.length <= limits.slug,
  })
  const known = debounced === slug ? check.data : undefined
  const fromTitle = slugOf(title)
  const suggestion =
    known?.suggestion ?? (fromTitle !== '' && fromTitle !== slug && slug === saved ? fromTitle : null)
  return (
    <TextInput
      data-mono
      label={<FieldLabel text={fields.url} used={[slug, limits.slug]} />}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={slug}
      spellCheck={false}
      autoComplete="off"
      error={error ?? (known?.free === false && known.suggestion !== null ? fields.urlTaken : null)}
      description={
        <>
          {known?.free === true && (
            <span className={classes['checked']} data-ink="ok">
              <IconCheck size={14} stroke={1.75} aria-hidden /> {fields.available}
            </span>
          )}
          {suggestion !== null && known?.free !== true && fields.isAvailable(suggestion)}
        </>
      }
      onBlur={onBlur}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
