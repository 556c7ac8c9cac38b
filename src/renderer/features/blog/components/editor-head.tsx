import { VisuallyHidden } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconArrowLeft, IconHistory, IconWorld } from '@tabler/icons-react'
import { Link } from 'wouter'
import { maxTitleCharacters } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { formatStamp } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { texts } from '../blog.texts.ts'
import type { PostDraft, SaveState } from '../post-saver.ts'
import classes from './editor-head.module.css'

const { head } = texts

export type PanelName = 'details' | 'history' | 'publish'

interface Props {
  post: DeskPost
  draft: PostDraft
  panel: PanelName | null
  onPanel: (panel: PanelName | null) => void
  onTitle: (title: string) => void
  /** Moves the focus to the text below the title. */
  onText: () => void
}

/** The title, the post's status, whether it is saved, and the buttons that open the panels. */
export function EditorHead({ post, draft, panel, onPanel, onTitle, onText }: Props) {
  const now = useNow()
  const toggle = (name: PanelName) => ({
    'aria-expanded': panel === name,
    'data-open': panel === name || undefined,
    'data-panel-button': name,
    onClick: () => onPanel(panel === name ? null : name),
  })
  return (
    <header className={classes['head']}>
      <VisuallyHidden component="h1">
        {draft.content.title.trim() === '' ? head.untitled : draft.content.title}
      </VisuallyHidden>
      <Link href="/content/blog" className={classes['back']} aria-label={head.allPosts} title={head.allPosts}>
        <IconArrowLeft size={16} stroke={1.75} aria-hidden />
      </Link>
      <input
        id="post-title"
        className={classes['title']}
        aria-label={head.title}
        placeholder={head.title}
        value={draft.content.title}
        maxLength={maxTitleCharacters}
        spellCheck
        autoComplete="off"
        readOnly={draft.state.kind === 'conflict'}
        // Writing a new post starts with its title.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={post.revision === 0}
        onChange={(event) => onTitle(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          onText()
        }}
      />
      <span className={classes['state']}>
        <Status kind={post.state} />
        {post.state === 'published' && post.changed && <span>{head.edited}</span>}
        {post.state === 'scheduled' && post.publishAt !== null && (
          <span>
            {head.scheduledFor} <When at={post.publishAt} />
          </span>
        )}
        <span role="status" data-save={draft.state.kind}>
          {describeSaveState(draft.state, now)}
        </span>
      </span>
      <ActionButton icon={IconHistory} {...toggle('history')}>
        {head.history}
      </ActionButton>
      <ActionButton icon={IconAdjustmentsHorizontal} {...toggle('details')}>
        {head.details}
      </ActionButton>
      <ActionButton variant="filled" icon={IconWorld} {...toggle('publish')}>
        {publishLabel(post)}
      </ActionButton>
    </header>
  )
}

function describeSaveState(state: SaveState, now: number): string {
  return state.kind === 'saved' ? head.save.saved(formatStamp(state.at, now)) : head.save[state.kind]
}

function publishLabel({ state, changed }: DeskPost): string {
  const { publish } = head
  if (state === 'draft') return publish.draft
  if (state === 'published') return changed ? publish.publishedChanges : publish.published
  return changed ? publish.scheduledChanges : publish.scheduled
}
