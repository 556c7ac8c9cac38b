import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowsSplit2, IconHistory, IconPlugConnectedX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { createDraft } from '../blog.api.ts'
import { sendable } from '../post-content.ts'
import type { PostDraft, PostSaver, SavedPost } from '../post-saver.ts'
import { ContentDiff } from './content-diff.tsx'
import classes from './editor-notices.module.css'

interface Props {
  post: DeskPost
  draft: PostDraft
  saver: PostSaver
  recoveredAt: string | null
}

/** What stands between the text and its being saved, or did. */
export function EditorNotices({ post, draft, saver, recoveredAt }: Props) {
  const { state } = draft
  const [seen, setSeen] = useState(false)
  return (
    <div className={classes['notices']}>
      {recoveredAt !== null && !seen && state.kind !== 'conflict' && (
        <Notice
          tone="note"
          icon={IconHistory}
          title={`What you wrote until ${formatClock(new Date(recoveredAt))} had not been saved; it is here again.`}
          role="status"
          actions={
            <Button size="sm" onClick={() => setSeen(true)}>
              Good
            </Button>
          }
        >
          <p>The desk ended before it was sent. What was saved before that is in the history.</p>
        </Notice>
      )}
      {state.kind === 'away' && (
        <Notice
          tone="warn"
          icon={IconPlugConnectedX}
          title="Not saved: Skilldock does not answer."
          role="status"
          actions={
            <Button size="sm" onClick={() => saver.retry()}>
              Try now
            </Button>
          }
        >
          <p>Go on writing. Everything is kept on this computer, and is saved as soon as it answers.</p>
        </Notice>
      )}
      {state.kind === 'refused' && <Refused error={state.error} draft={draft} saver={saver} />}
      {state.kind === 'conflict' && (
        <Conflict key={state.theirs.revision} post={post} draft={draft} saver={saver} theirs={state.theirs} />
      )}
    </div>
  )
}

/** The server does not take the text; where the post is gone, it can become another one. */
function Refused({ error, draft, saver }: { error: ApiError } & Pick<Props, 'draft' | 'saver'>) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const isGone = error.code === 'NOT_FOUND'
  const again = useMutation({
    mutationFn: () => createDraft(sendable(draft.content)),
    onSuccess({ id }) {
      saver.stop()
      navigate(`/content/blog/${id}`)
      void client.invalidateQueries({ queryKey: ['content'] })
    },
  })
  return (
    <>
      <Notice
        tone="bad"
        icon={IconAlertTriangle}
        title={isGone ? 'Not saved: somebody has deleted this post' : 'Not saved'}
        role="alert"
        actions={
          isGone && (
            <Button size="sm" loading={again.isPending} onClick={() => again.mutate()}>
              Go on with it as a new post
            </Button>
          )
        }
      >
        <p>
          {isGone
            ? 'Your text is kept here.'
            : `${error.message} It is kept on this computer and saved with the next change.`}
        </p>
      </Notice>
      {again.error !== null && <Failure error={again.error} what="No post could be begun" />}
    </>
  )
}

/** Two texts of one post: one is gone on with, and the other becomes a draft of its own, so that none is lost. */
function Conflict({ post, draft, saver, theirs }: Omit<Props, 'recoveredAt'> & { theirs: SavedPost }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [differs, setDiffers] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const goOn = async (mine: boolean): Promise<void> => {
    setBusy(true)
    setError(null)
    const other = sendable(mine ? theirs.content : draft.content)
    try {
      const kept = await createDraft(other)
      if (mine) saver.keepMine()
      else saver.take(theirs)
      void client.invalidateQueries({ queryKey: ['content'] })
      showToast({
        kind: 'done',
        text: `The other text of “${other.title === '' ? post.title : other.title}” is a draft of its own.`,
        action: { label: 'Open', run: () => navigate(`/content/blog/${kept.id}`) },
      })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <>
      <Notice
        tone="warn"
        icon={IconArrowsSplit2}
        title={`${theirs.updatedBy} saved another text of this post at ${formatClock(new Date(theirs.updatedAt))}.`}
        role="alert"
        actions={
          <>
            <Button size="sm" disabled={busy} onClick={() => void goOn(true)}>
              Go on with yours
            </Button>
            <Button size="sm" disabled={busy} onClick={() => void goOn(false)}>
              Go on with theirs
            </Button>
            <Button size="sm" aria-expanded={differs} onClick={() => setDiffers(!differs)}>
              {differs ? 'Hide the difference' : 'Show the difference'}
            </Button>
          </>
        }
      >
        <p>
          Yours is not sent; it is kept here. Whichever you go on with, the other becomes a draft of its own.
        </p>
        {differs && (
          <div className={classes['diff']}>
            <ContentDiff before={theirs.content} after={draft.content} label="From theirs to yours" />
          </div>
        )}
      </Notice>
      {error !== null && <Failure error={error} what="Nothing was changed" />}
    </>
  )
}
