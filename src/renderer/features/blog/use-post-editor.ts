import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DeskPost } from '../../../shared/contracts/desk-posts.ts'
import { ApiError } from '../../lib/server/api-error.ts'
import { liveState } from '../../lib/server/live-state.ts'
import { draftKey, readDraftOwner } from '../../lib/state/storage.ts'
import { useStore } from '../../lib/state/store.ts'
import { readPost, savePost } from './blog.api.ts'
import { createDraftKeeper, lockDraft, takeRecoveredDraft } from './local-drafts.ts'
import type { DraftKeeper, LocalDraft } from './local-drafts.ts'
import { texts } from './blog.texts.ts'
import { isSameContent, sendable } from './post-content.ts'
import { createPostSaver } from './post-saver.ts'
import type { PostDraft, PostSaver } from './post-saver.ts'

interface PostEditor {
  draft: PostDraft
  saver: PostSaver
  /** When recovered unsaved changes were written; null if there were none. */
  recoveredAt: string | null
}

interface OpenDraft {
  saver: PostSaver
  keeper: DraftKeeper
}

/** Posts that were left with unsaved changes, by person and id. Opening one again continues with them. */
const unsaved = new Map<string, OpenDraft>()
const keyOf = (id: number): string => draftKey('', id)

/** Like `takeRecoveredDraft`, but leaves the changes of other desks alone while this one has its own. */
export async function takeDraft(id: number): Promise<LocalDraft | null> {
  return unsaved.has(keyOf(id)) ? null : takeRecoveredDraft(id)
}

/** A post that is being edited, starting from the server's text or from recovered changes. */
export function usePostEditor(post: DeskPost, recovered: LocalDraft | null): PostEditor {
  const [key] = useState(() => keyOf(post.id))
  const [{ saver, keeper }] = useState(() => unsaved.get(key) ?? open(post, recovered))
  const draft = useSyncExternalStore(saver.subscribe, saver.get)
  const { state } = useStore(liveState)
  // Kept until the editor is closed, although the changes are saved soon.
  const [recoveredAt] = useState(() =>
    recovered === null || isSameContent(recovered.content, post.content) ? null : recovered.at,
  )

  useEffect(() => lockDraft(post.id), [post.id])
  useEffect(() => {
    const leave = (): void => {
      keeper.flush()
      void saver.flush()
    }
    const saveWhenHidden = (): void => {
      if (document.hidden) leave()
    }
    document.addEventListener('visibilitychange', saveWhenHidden)
    window.addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden)
      window.removeEventListener('pagehide', leave)
      if (saver.get().state.kind === 'saved') unsaved.delete(key)
      else unsaved.set(key, { saver, keeper })
      leave()
    }
  }, [saver, keeper, key])
  useEffect(() => saver.receive(post), [saver, post])
  useEffect(() => {
    if (state === 'open') saver.retry()
  }, [state, saver])
  return { draft, saver, recoveredAt }
}

function open(post: DeskPost, recovered: LocalDraft | null): OpenDraft {
  const { id } = post
  const owner = readDraftOwner()
  const keeper = createDraftKeeper(id)
  const isNewer = recovered !== null && !isSameContent(recovered.content, post.content)
  const saver = createPostSaver(isNewer ? { ...post, revision: recovered.revision } : post, {
    async save(content, revision) {
      // If another person has signed in since, it would be saved in their name.
      if (readDraftOwner() !== owner) throw new ApiError('NETWORK', texts.notices.offline.otherPerson)
      return savePost(id, sendable(content), revision)
    },
    read: () => readPost(id),
    keep: keeper.keep,
  })
  if (isNewer) saver.edit(() => recovered.content)
  else if (recovered !== null) keeper.keep(null)
  return { saver, keeper }
}
