import { Button } from '@mantine/core'
import { IconTrash, IconWorldOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { showToast } from '../../../lib/state/toasts.ts'
import { useDeletePost, useUnpublishPost } from '../blog.api.ts'
import type { PostSaver } from '../post-saver.ts'
import classes from './publish-panel.module.css'

/** Unpublishing what is public or will be, and deleting what is not. */
export function TakeBack({ post, saver }: { post: DeskPost; saver: PostSaver }) {
  const unpublish = useUnpublishPost(post.id)
  const [, navigate] = useLocation()
  const [sure, setSure] = useState(false)
  const name = post.title === '' ? 'The post' : post.title
  const remove = useDeletePost(post.id, () => {
    saver.stop()
    showToast({ kind: 'done', subject: name, text: 'is deleted.' })
    navigate('/content/blog', { replace: true })
  })
  if (post.state !== 'draft') {
    return (
      <section className={classes['back']} aria-label="Unpublish">
        <p>
          {post.state === 'published'
            ? 'Its page answers 404 from then on, and the feed and lists leave it out. The text stays here as a draft.'
            : 'It does not become public. The text stays here as a draft.'}
        </p>
        <Button
          color="red"
          loading={unpublish.isPending}
          leftSection={<IconWorldOff size={16} stroke={1.75} />}
          onClick={() =>
            unpublish.mutate(undefined, {
              onSuccess(draft) {
                saver.hear(draft)
                showToast({ kind: 'done', subject: name, text: 'is a draft again.' })
              },
            })
          }
        >
          {post.state === 'published' ? 'Unpublish' : 'Do not publish'}
        </Button>
        {unpublish.error !== null && <Failure error={unpublish.error} what="It stays as it is" />}
      </section>
    )
  }
  return (
    <section className={classes['back']} aria-label="Delete">
      <p>
        {sure
          ? 'The text and its history are gone then; there is no undo. Its pictures stay in the library.'
          : 'A draft can be deleted, with its history.'}
      </p>
      {sure ? (
        <>
          <Button color="red" variant="filled" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete it now
          </Button>
          <Button onClick={() => setSure(false)}>Keep it</Button>
        </>
      ) : (
        <Button color="red" leftSection={<IconTrash size={16} stroke={1.75} />} onClick={() => setSure(true)}>
          Delete…
        </Button>
      )}
      {remove.error !== null && <Failure error={remove.error} what="The post is still there" />}
    </section>
  )
}
