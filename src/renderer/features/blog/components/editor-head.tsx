import { Button, VisuallyHidden } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconArrowLeft, IconHistory, IconWorld } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { Status } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { formatClock } from '../../../lib/time/time.ts'
import type { PostDraft, SaveState } from '../post-saver.ts'
import classes from './editor-head.module.css'

export type PanelName = 'details' | 'history' | 'publish'

interface Props {
  post: DeskPost
  draft: PostDraft
  panel: PanelName | null
  onPanel: (panel: PanelName | null) => void
  onTitle: (title: string) => void
  /** On to the text below the title. */
  onText: () => void
}

/** The title, where the post stands, whether all of it is saved, and the ways to its panels. */
export function EditorHead({ post, draft, panel, onPanel, onTitle, onText }: Props) {
  const toggle = (name: PanelName) => ({
    'aria-expanded': panel === name,
    'data-open': panel === name || undefined,
    'data-panel-button': name,
    onClick: () => onPanel(panel === name ? null : name),
  })
  return (
    <header className={classes['head']}>
      <VisuallyHidden component="h1">
        {draft.content.title.trim() === '' ? 'Post without a title' : draft.content.title}
      </VisuallyHidden>
      <Link href="/content/blog" className={classes['back']} aria-label="All posts" title="All posts">
        <IconArrowLeft size={16} stroke={1.75} aria-hidden />
      </Link>
      <input
        id="post-title"
        className={classes['title']}
        aria-label="Title"
        placeholder="Title"
        value={draft.content.title}
        maxLength={160}
        spellCheck
        autoComplete="off"
        readOnly={draft.state.kind === 'conflict'}
        // An empty draft begins with its title.
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
        {post.state === 'published' && post.changed && <span>changed since</span>}
        {post.state === 'scheduled' && post.publishAt !== null && (
          <span>
            for <When at={post.publishAt} />
          </span>
        )}
        <span role="status" data-save={draft.state.kind}>
          {saveWords(draft.state)}
        </span>
      </span>
      <Button leftSection={<IconHistory size={16} stroke={1.75} />} {...toggle('history')}>
        History
      </Button>
      <Button leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.75} />} {...toggle('details')}>
        Details
      </Button>
      <Button variant="filled" leftSection={<IconWorld size={16} stroke={1.75} />} {...toggle('publish')}>
        {publishLabel(post)}
      </Button>
    </header>
  )
}

const unsavedWords = {
  saving: 'saving',
  away: 'not saved, kept on this computer',
  refused: 'not saved',
  conflict: 'not saved, changed elsewhere',
}

function saveWords(state: SaveState): string {
  return state.kind === 'saved' ? `saved ${formatClock(new Date(state.at))}` : unsavedWords[state.kind]
}

function publishLabel({ state, changed }: DeskPost): string {
  if (state === 'draft') return 'Publish…'
  if (state === 'published') return changed ? 'Publish changes…' : 'Public…'
  return changed ? 'Schedule changes…' : 'Scheduled…'
}
