import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DeskPost } from '../../../shared/contracts/desk-posts.ts'
import { liveState } from '../../lib/server/live-state.ts'
import { useStore } from '../../lib/state/store.ts'
import { readPost, savePost } from './blog.api.ts'
import { createDraftKeeper, holdDraft } from './local-drafts.ts'
import type { DraftKeeper, LocalDraft } from './local-drafts.ts'
import { isSameContent, sendable } from './post-content.ts'
import { createPostSaver } from './post-saver.ts'
import type { PostDraft, PostSaver } from './post-saver.ts'

export interface PostEditor {
  draft: PostDraft
  saver: PostSaver
  /** When that was written which a desk that has ended left behind; null where nothing was. */
  recoveredAt: string | null
}

interface Writing {
  saver: PostSaver
  keeper: DraftKeeper
}

/** What is still to be saved of posts that were left; whoever comes back goes on with it. */
const unsaved = new Map<number, Writing>()

/** A post as it is being written: begun from the server's text, or from what was left on this computer. */
export function usePostEditor(post: DeskPost, left: LocalDraft | null): PostEditor {
  const [{ saver, keeper }] = useState(() => unsaved.get(post.id) ?? begin(post, left))
  const draft = useSyncExternalStore(saver.subscribe, saver.get)
  const { state } = useStore(liveState)
  // The server has it soon; what is said about it stays until one leaves.
  const [recoveredAt] = useState(() =>
    left === null || isSameContent(left.content, post.content) ? null : left.at,
  )

  useEffect(() => holdDraft(post.id), [post.id])
  useEffect(() => {
    const leave = (): void => {
      keeper.flush()
      void saver.flush()
    }
    const look = (): void => {
      if (document.hidden) leave()
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('pagehide', leave)
      if (saver.get().state.kind === 'saved') unsaved.delete(post.id)
      else unsaved.set(post.id, { saver, keeper })
      leave()
    }
  }, [saver, keeper, post.id])
  useEffect(() => saver.hear(post), [saver, post])
  useEffect(() => {
    if (state === 'open') saver.retry()
  }, [state, saver])
  return { draft, saver, recoveredAt }
}

function begin(post: DeskPost, left: LocalDraft | null): Writing {
  const { id } = post
  const keeper = createDraftKeeper(id)
  const isLeft = left !== null && !isSameContent(left.content, post.content)
  const saver = createPostSaver(isLeft ? { ...post, revision: left.revision } : post, {
    save: (content, revision) => savePost(id, sendable(content), revision),
    read: () => readPost(id),
    keep: keeper.keep,
  })
  if (isLeft) saver.edit(() => left.content)
  else if (left !== null) keeper.keep(null)
  return { saver, keeper }
}
