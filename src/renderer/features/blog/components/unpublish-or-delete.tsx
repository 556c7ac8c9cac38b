import { Button } from '@mantine/core'
import { IconTrash, IconWorldOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { showToast } from '../../../lib/state/toasts.ts'
import { useDeletePost, useUnpublishPost } from '../blog.api.ts'
import { texts } from '../blog.texts.ts'
import type { PostSaver } from '../post-saver.ts'
import classes from './publish-panel.module.css'

const { unpublish: unpublishTexts, deletion } = texts

/** Unpublishes a published or scheduled post, or deletes a draft. */
export function UnpublishOrDelete({ post, saver }: { post: DeskPost; saver: PostSaver }) {
  const unpublish = useUnpublishPost(post.id)
  const [, navigate] = useLocation()
  const [confirming, setConfirming] = useState(false)
  const name = post.title === '' ? unpublishTexts.post : post.title
  const remove = useDeletePost(post.id, () => {
    saver.stop()
    showToast({ kind: 'done', subject: name, text: deletion.done })
    // Unless the post was left while this was sent.
    if (location.pathname.endsWith(`/content/blog/${post.id}`)) navigate('/content/blog', { replace: true })
  })
  if (post.state !== 'draft') {
    return (
      <section className={classes['back']} aria-label={unpublishTexts.label}>
        <p data-text="hint">
          {post.state === 'published' ? unpublishTexts.published : unpublishTexts.scheduled}
        </p>
        <ActionButton
          color="red"
          loading={unpublish.isPending}
          icon={IconWorldOff}
          onClick={() =>
            unpublish.mutate(undefined, {
              onSuccess(draft) {
                saver.receive(draft)
                showToast({ kind: 'done', subject: name, text: unpublishTexts.done })
              },
            })
          }
        >
          {post.state === 'published' ? unpublishTexts.unpublish : unpublishTexts.unschedule}
        </ActionButton>
        {unpublish.error !== null && <Failure error={unpublish.error} what={unpublishTexts.failed} />}
      </section>
    )
  }
  return (
    <section className={classes['back']} aria-label={deletion.label}>
      <p data-text="hint">{confirming ? deletion.warning : deletion.hint}</p>
      {confirming ? (
        <>
          <Button color="red" variant="filled" loading={remove.isPending} onClick={() => remove.mutate()}>
            {deletion.confirm}
          </Button>
          <Button onClick={() => setConfirming(false)}>{deletion.cancel}</Button>
        </>
      ) : (
        <ActionButton color="red" icon={IconTrash} onClick={() => setConfirming(true)}>
          {deletion.open}
        </ActionButton>
      )}
      {remove.error !== null && <Failure error={remove.error} what={deletion.failed} />}
    </section>
  )
}
