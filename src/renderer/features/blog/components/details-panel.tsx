import { Button, TextInput, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import { maxSlugCharacters, maxSummaryCharacters, slugOf } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { texts } from '../blog.texts.ts'
import { readTags, slugProblem } from '../post-content.ts'
import type { PostSaver } from '../post-saver.ts'
import { useSlug } from '../use-slug.ts'
import { CoverField } from './cover-field.tsx'
import classes from './details-panel.module.css'
import { FieldLabel } from '../../../components/form/field-label.tsx'
import { Panel } from './panel.tsx'

const { details, slug: slugTexts } = texts

interface Props {
  post: DeskPost
  content: PostContent
  saver: PostSaver
  images: ReadonlyMap<string, Image>
  onClose: () => void
}

/** The post's metadata: URL, summary, tags and cover. */
export function DetailsPanel({ post, content, saver, images, onClose }: Props) {
  const set = (part: Partial<PostContent>): void => saver.edit((old) => ({ ...old, ...part }))
  return (
    <Panel title={details.title} onClose={onClose}>
      <SlugField post={post} slug={content.slug} title={content.title} onSlug={(slug) => set({ slug })} />
      <Textarea
        label={
          <FieldLabel
            text={details.summary}
            note={details.optional}
            used={[content.summary.length, maxSummaryCharacters]}
          />
        }
        aria-label={details.summary}
        description={details.summaryHint}
        inputWrapperOrder={['label', 'input', 'description']}
        value={content.summary}
        maxLength={maxSummaryCharacters}
        rows={3}
        spellCheck
        onChange={(event) => set({ summary: event.currentTarget.value })}
      />
      <TagsField tags={content.tags} onTags={(tags) => set({ tags })} />
      <CoverField cover={content.cover} images={images} onCover={(cover) => set({ cover })} />
    </Panel>
  )
}

interface SlugProps {
  post: DeskPost
  slug: string
  title: string
  onSlug: (slug: string) => void
}

/** The slug as it is typed. Only a valid one is stored in the post. */
function SlugField({ post, slug, title, onSlug }: SlugProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? slug
  const problem = typed === null || typed === '' ? null : slugProblem(typed)
  const state = useSlug(post.id, text)
  const taken = state.state === 'taken' ? state : null
  const fromTitle = slugOf(title)
  const suggestion = text === '' && fromTitle !== '' ? fromTitle : (taken?.suggestion ?? null)
  const isMoved = post.state === 'published' && slug !== post.slug
  return (
    <div>
      <TextInput
        label={slugTexts.label}
        leftSection={<code data-text="note">/blog/</code>}
        leftSectionWidth={56}
        classNames={{ input: classes['mono'] ?? '' }}
        data-mono
        data-first
        value={text}
        maxLength={maxSlugCharacters}
        spellCheck={false}
        error={problem ?? (taken === null ? null : slugTexts.taken)}
        description={
          state.state === 'free' ? (
            <span className={classes['free']} data-ink="ok">
              <IconCheck size={14} stroke={1.75} aria-hidden /> {slugTexts.available}
            </span>
          ) : text === '' ? (
            slugTexts.none
          ) : (
            slugTexts.hint
          )
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(event) => {
          const next = event.currentTarget.value
          setTyped(next)
          if (next === '' || slugProblem(next) === null) onSlug(next)
        }}
        onBlur={() => setTyped(null)}
      />
      {suggestion !== null && (
        <Button
          size="sm"
          mt={8}
          onClick={() => {
            setTyped(null)
            onSlug(suggestion)
          }}
        >
          {slugTexts.use(suggestion)}
        </Button>
      )}
      {isMoved && (
        <p className={classes['moved']} data-text="hint" data-ink="warn">
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> {slugTexts.moved}
        </p>
      )}
    </div>
  )
}

/** Tags as they are typed, with the parsed tags shown below the field. */
function TagsField({ tags, onTags }: { tags: readonly string[]; onTags: (tags: string[]) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      label={<FieldLabel text={details.tags} note={details.optional} used={[tags.length, 10]} />}
      aria-label={details.tags}
      value={typed ?? tags.join(', ')}
      spellCheck={false}
      description={typed === null || tags.length === 0 ? details.tagsHint : details.tagsRead(tags)}
      inputWrapperOrder={['label', 'input', 'description']}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onTags(readTags(event.currentTarget.value))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
