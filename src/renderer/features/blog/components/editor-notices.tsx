import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowsSplit2, IconHistory, IconPlugConnectedX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { formatStamp } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { createDraft } from '../blog.api.ts'
import type { PostDraft, PostSaver, SavedPost } from '../post-saver.ts'
import { ContentDiff } from './content-diff.tsx'
import { texts } from '../blog.texts.ts'
import classes from './editor-notices.module.css'

const { notices } = texts

interface Props {
  post: DeskPost
  draft: PostDraft
  saver: PostSaver
  recoveredAt: string | null
}

/** Whatever keeps the text from being saved, and unsaved text that was recovered. */
export function EditorNotices({ post, draft, saver, recoveredAt }: Props) {
  const { state } = draft
  const now = useNow()
  const [dismissed, setDismissed] = useState(false)
  // Kept here, because the notice is hidden while the text is being changed.
  const recreation = useRecreation(saver)
  return (
    <div className={classes['notices']}>
      {recoveredAt !== null && !dismissed && state.kind !== 'conflict' && (
        <Notice
          tone="note"
          icon={IconHistory}
          title={notices.recovered.title(formatStamp(recoveredAt, now))}
          role="status"
          actions={
            <Button size="sm" onClick={() => setDismissed(true)}>
              {notices.recovered.dismiss}
            </Button>
          }
        >
          <p>{notices.recovered.text}</p>
        </Notice>
      )}
      {state.kind === 'offline' && (
        <Notice
          tone="warn"
          icon={IconPlugConnectedX}
          title={notices.offline.title}
          role="status"
          actions={
            <Button size="sm" onClick={() => saver.retry()}>
              {notices.offline.retry}
            </Button>
          }
        >
          <p>{notices.offline.text}</p>
        </Notice>
      )}
      {state.kind === 'rejected' && <Rejected error={state.error} recreation={recreation} />}
      {state.kind === 'conflict' && (
        <Conflict key={state.theirs.revision} post={post} draft={draft} saver={saver} theirs={state.theirs} />
      )}
    </div>
  )
}

interface Recreation {
  isPending: boolean
  error: Error | null
  start(): void
}

/** Makes the text of a deleted post a new post. */
function useRecreation(saver: PostSaver): Recreation {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createDraft(() => saver.get().content),
    onSuccess() {
      saver.stop()
      void client.invalidateQueries({ queryKey: ['content'] })
    },
  })
  // Does not leave another page that was opened while it was sent.
  const start = (): void => mutate(undefined, { onSuccess: ({ id }) => navigate(`/content/blog/${id}`) })
  return { isPending, error, start }
}

/** The server rejects the text. If the post was deleted, the text can become a new post. */
function Rejected({ error, recreation }: { error: ApiError; recreation: Recreation }) {
  const isDeleted = error.code === 'NOT_FOUND'
  return (
    <>
      <Notice
        tone="bad"
        icon={IconAlertTriangle}
        title={isDeleted ? notices.deleted.title : notices.rejected.title}
        role="alert"
        actions={
          isDeleted && (
            <Button size="sm" loading={recreation.isPending} onClick={recreation.start}>
              {notices.deleted.action}
            </Button>
          )
        }
      >
        <p>{isDeleted ? notices.deleted.text : notices.rejected.text(error.message)}</p>
      </Notice>
      {recreation.error !== null && <Failure error={recreation.error} what={notices.deleted.failed} />}
    </>
  )
}

/** Two versions of one post. The one that is not chosen becomes a draft of its own, so that neither is lost. */
function Conflict({ post, draft, saver, theirs }: Omit<Props, 'recoveredAt'> & { theirs: SavedPost }) {
  const client = useQueryClient()
  const now = useNow()
  const [, navigate] = useLocation()
  const [showsDiff, setShowsDiff] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const resolve = async (mine: boolean): Promise<void> => {
    setBusy(true)
    setError(null)
    const other = (): PostContent => (mine ? theirs : saver.get()).content
    try {
      const copy = await createDraft(other)
      const { title } = other()
      if (mine) saver.keepMine()
      else saver.replaceWith(theirs)
      void client.invalidateQueries({ queryKey: ['content'] })
      showToast({
        kind: 'done',
        text: notices.conflict.otherSaved(title === '' ? post.title : title),
        action: { label: notices.conflict.open, run: () => navigate(`/content/blog/${copy.id}`) },
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
        title={notices.conflict.title(theirs.updatedBy, formatStamp(theirs.updatedAt, now))}
        role="alert"
        actions={
          <>
            <Button size="sm" disabled={busy} onClick={() => void resolve(true)}>
              {notices.conflict.keepMine}
            </Button>
            <Button size="sm" disabled={busy} onClick={() => void resolve(false)}>
              {notices.conflict.takeTheirs}
            </Button>
            <Button size="sm" aria-expanded={showsDiff} onClick={() => setShowsDiff(!showsDiff)}>
              {showsDiff ? notices.conflict.hideDiff : notices.conflict.showDiff}
            </Button>
          </>
        }
      >
        <p>{notices.conflict.text}</p>
        {showsDiff && (
          <div className={classes['diff']}>
            <ContentDiff before={theirs.content} after={draft.content} label={notices.conflict.diff} />
          </div>
        )}
      </Notice>
      {error !== null && <Failure error={error} what={notices.conflict.failed} />}
    </>
  )
}
