import { Button, TextInput, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import { maxSlugCharacters, slugOf } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { readTags, slugProblem } from '../post-content.ts'
import type { PostSaver } from '../post-saver.ts'
import { useSlug } from '../use-slug.ts'
import { CoverField } from './cover-field.tsx'
import classes from './details-panel.module.css'
import { Panel } from './panel.tsx'

interface Props {
  post: DeskPost
  content: PostContent
  saver: PostSaver
  images: ReadonlyMap<string, Image>
  onClose: () => void
}

/** What goes with the text: its address, the sentence for lists, tags and the cover. */
export function DetailsPanel({ post, content, saver, images, onClose }: Props) {
  const set = (part: Partial<PostContent>): void => saver.edit((old) => ({ ...old, ...part }))
  return (
    <Panel title="Details" onClose={onClose}>
      <SlugField post={post} slug={content.slug} title={content.title} onSlug={(slug) => set({ slug })} />
      <Textarea
        label={
          <span className={classes['label']}>
            Summary <span>optional</span>
            <span className={classes['count']}>{content.summary.length} of 300</span>
          </span>
        }
        aria-label="Summary"
        description="One or two sentences for lists, the feed and link previews."
        inputWrapperOrder={['label', 'input', 'description']}
        value={content.summary}
        maxLength={300}
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

/** The address as it is typed; only a usable one goes to the post. */
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
        label="Address"
        leftSection={<span className={classes['prefix']}>/blog/</span>}
        leftSectionWidth={56}
        classNames={{ input: classes['mono'] ?? '' }}
        data-first
        value={text}
        maxLength={maxSlugCharacters}
        spellCheck={false}
        error={problem ?? (taken === null ? null : 'Another post has this address.')}
        description={
          state.state === 'free' ? (
            <span className={classes['free']}>
              <IconCheck size={14} stroke={1.75} aria-hidden /> free
            </span>
          ) : text === '' ? (
            'It has none yet.'
          ) : (
            'Words of letters and digits, joined by hyphens.'
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
          Use {suggestion}
        </Button>
      )}
      {isMoved && (
        <p className={classes['moved']}>
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> The old address answers 404 once this is
          public.
        </p>
      )}
    </div>
  )
}

/** Tags as they are typed; what they are read as stands below. */
function TagsField({ tags, onTags }: { tags: readonly string[]; onTags: (tags: string[]) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      label={
        <span className={classes['label']}>
          Tags <span>optional</span>
          <span className={classes['count']}>{tags.length} of 10</span>
        </span>
      }
      aria-label="Tags"
      value={typed ?? tags.join(', ')}
      spellCheck={false}
      description={
        typed === null || tags.length === 0 ? 'Separated by commas.' : `Read as ${tags.join(', ')}.`
      }
      inputWrapperOrder={['label', 'input', 'description']}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onTags(readTags(event.currentTarget.value))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
