import { maxMarkdownCharacters } from '../../../shared/contracts/content.ts'
import type { PostContent } from '../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../shared/contracts/desk-posts.ts'
import { ApiError, asApiError, isUnanswered } from '../../lib/server/api-error.ts'
import { createStore } from '../../lib/state/store.ts'
import type { Store } from '../../lib/state/store.ts'
import { isSameContent } from './post-content.ts'
import { texts } from './blog.texts.ts'

/** A post as the server has it. */
export type SavedPost = Pick<DeskPost, 'content' | 'revision' | 'updatedAt' | 'updatedBy'>

export type SaveState =
  | { kind: 'saved'; at: string }
  /** Changed since the last save, or being sent. */
  | { kind: 'saving' }
  /** The server does not respond. The text is kept on this computer and sent again later. */
  | { kind: 'offline'; error: ApiError }
  /** The server rejects the text. */
  | { kind: 'rejected'; error: ApiError }
  /** Another person saved a different version since this one was loaded. */
  | { kind: 'conflict'; theirs: SavedPost }

export interface PostDraft {
  content: PostContent
  revision: number
  state: SaveState
  /** Incremented when the text is replaced from outside the editor. */
  replaced: number
}

interface SaverPorts {
  save(content: PostContent, revision: number): Promise<{ revision: number; savedAt: string }>
  read(): Promise<SavedPost>
  /** Stores unsaved changes on this computer; null once everything is saved. */
  keep(draft: { content: PostContent; revision: number } | null): void
}

export interface PostSaver extends Pick<Store<PostDraft>, 'get' | 'subscribe'> {
  edit(change: (content: PostContent) => PostContent): void
  /** Saves pending changes immediately. Resolves to whether everything is saved. */
  flush(): Promise<boolean>
  /** Reports what the server has now. A text without local changes is replaced with it. */
  receive(post: SavedPost): void
  /** Replaces the text and discards unsaved changes. */
  replaceWith(post: SavedPost): void
  /** Resolves a conflict in favor of the local text. */
  keepMine(): void
  /** Saves immediately if the server was not responding. */
  retry(): void
  /** Stops saving: the post was deleted. */
  stop(): void
}

/** A change is sent after this pause in typing, and at the latest after `maxDelayMs` of continuous typing. */
const pauseMs = 800
const maxDelayMs = 4000
const retryMs = [1000, 2000, 4000, 8000] as const

/** Autosaves a post, one request at a time. */
export function createPostSaver(start: SavedPost, ports: SaverPorts): PostSaver {
  const store = createStore<PostDraft>({
    content: start.content,
    revision: start.revision,
    state: { kind: 'saved', at: start.updatedAt },
    replaced: 0,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitingSince: number | null = null
  let running: Promise<boolean> | null = null
  let failures = 0
  // Sent without an answer: the server may have saved any of these.
  let unanswered: PostContent[] = []
  let stopped = false

  const set = (change: Partial<PostDraft>): void => store.set({ ...store.get(), ...change })
  const settle = (revision: number, at: string): void => {
    set({ revision, state: { kind: 'saved', at } })
    ports.keep(null)
  }
  const plan = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), ms)
  }

  /** Sends the text once. Resolves to true when nothing is left to save. */
  const attempt = async (): Promise<boolean> => {
    const { content, revision } = store.get()
    unanswered.push(content)
    waitingSince = null
    try {
      const saved = await ports.save(content, revision)
      failures = 0
      unanswered = []
      if (isSameContent(store.get().content, content)) {
        settle(saved.revision, saved.savedAt)
        return true
      }
      set({ revision: saved.revision })
      ports.keep({ content: store.get().content, revision: saved.revision })
      return await attempt()
    } catch (error) {
      return await fail(asApiError(error), content)
    }
  }

  const fail = async (error: ApiError, sent: PostContent): Promise<boolean> => {
    if (error.code === 'EDITED_ELSEWHERE') return compare()
    const isOffline = isUnanswered(error)
    // The text that was rejected is no longer the current one.
    if (!isOffline && !isSameContent(store.get().content, sent)) return attempt()
    set({ state: { kind: isOffline ? 'offline' : 'rejected', error } })
    if (isOffline) {
      plan(retryMs[Math.min(failures, retryMs.length - 1)] ?? 8000)
      failures += 1
    }
    return false
  }

  /** The reply to one of our own saves may have been lost: then the server has what we sent, which is no conflict. */
  const compare = async (): Promise<boolean> => {
    let theirs: SavedPost
    try {
      theirs = await ports.read()
    } catch (error) {
      return fail(asApiError(error), store.get().content)
    }
    const { content } = store.get()
    if (isSameContent(theirs.content, content)) {
      settle(theirs.revision, theirs.updatedAt)
      return true
    }
    if (unanswered.some((one) => isSameContent(theirs.content, one))) {
      set({ revision: theirs.revision })
      return attempt()
    }
    set({ state: { kind: 'conflict', theirs } })
    return false
  }

  const flush = async (): Promise<boolean> => {
    clearTimeout(timer)
    const { state, content } = store.get()
    if (stopped) return false
    if (running !== null) return running
    if (state.kind === 'saved') return true
    if (state.kind === 'conflict') return false
    if (content.markdown.length > maxMarkdownCharacters) {
      const error = new ApiError('VALIDATION_FAILED', texts.publish.tooLongToSave)
      set({ state: { kind: 'rejected', error } })
      return false
    }
    running = attempt()
    try {
      return await running
    } finally {
      running = null
    }
  }

  const replace = (post: SavedPost): void => {
    clearTimeout(timer)
    waitingSince = null
    unanswered = []
    const { replaced } = store.get()
    set({ content: post.content, replaced: replaced + 1 })
    settle(post.revision, post.updatedAt)
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    edit(change) {
      const { content, revision, state } = store.get()
      const next = change(content)
      if (isSameContent(content, next)) {
        if (content !== next) set({ content: next })
        return
      }
      ports.keep({ content: next, revision })
      if (state.kind === 'conflict') return set({ content: next })
      const now = Date.now()
      waitingSince ??= now
      set({ content: next, state: state.kind === 'offline' ? state : { kind: 'saving' } })
      if (state.kind !== 'offline' && running === null) {
        plan(Math.max(0, Math.min(pauseMs, waitingSince + maxDelayMs - now)))
      }
      return undefined
    },
    flush,
    receive(post) {
      const { state, revision, content } = store.get()
      if (state.kind !== 'saved' || running !== null || post.revision <= revision) return
      if (isSameContent(post.content, content)) settle(post.revision, post.updatedAt)
      else replace(post)
    },
    replaceWith: replace,
    keepMine() {
      const { state } = store.get()
      if (state.kind !== 'conflict') return
      set({ revision: state.theirs.revision, state: { kind: 'saving' } })
      void flush()
    },
    stop() {
      clearTimeout(timer)
      stopped = true
      set({ state: { kind: 'saved', at: start.updatedAt } })
      ports.keep(null)
    },
    retry() {
      if (store.get().state.kind === 'offline') void flush()
    },
  }
}
