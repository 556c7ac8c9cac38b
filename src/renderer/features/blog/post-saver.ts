import { maxMarkdownCharacters } from '../../../shared/contracts/content.ts'
import type { PostContent } from '../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../shared/contracts/desk-posts.ts'
import { ApiError, asApiError } from '../../lib/server/api-error.ts'
import { createStore } from '../../lib/state/store.ts'
import type { Store } from '../../lib/state/store.ts'
import { isSameContent } from './post-content.ts'

/** What the server has of a post. */
export type SavedPost = Pick<DeskPost, 'content' | 'revision' | 'updatedAt' | 'updatedBy'>

export type SaveState =
  | { kind: 'saved'; at: string }
  /** Written and not sent yet, or on its way. */
  | { kind: 'saving' }
  /** The server does not answer; it is kept on this computer and tried again. */
  | { kind: 'away'; error: ApiError }
  /** The server does not take it as it is. */
  | { kind: 'refused'; error: ApiError }
  /** Somebody else saved another text since this one began. */
  | { kind: 'conflict'; theirs: SavedPost }

export interface PostDraft {
  content: PostContent
  revision: number
  state: SaveState
  /** Goes up when the text was replaced from outside of the editor. */
  replaced: number
}

export interface SaverPorts {
  save(content: PostContent, revision: number): Promise<{ revision: number; savedAt: string }>
  read(): Promise<SavedPost>
  /** Keeps what is not saved on this computer; null once all of it is. */
  keep(draft: { content: PostContent; revision: number } | null): void
}

export interface PostSaver extends Pick<Store<PostDraft>, 'get' | 'subscribe'> {
  edit(change: (content: PostContent) => PostContent): void
  /** Saves now what is not saved; tells whether all of it is. */
  flush(): Promise<boolean>
  /** The server has this now; a text without changes follows it. */
  hear(post: SavedPost): void
  /** Goes on with this, whatever was written. */
  take(post: SavedPost): void
  /** Of two texts, goes on with the own one. */
  keepMine(): void
  /** Tries again at once, where the server was away. */
  retry(): void
  /** Nothing is saved any more: the post is gone. */
  stop(): void
}

/** A text counts as finished for now after this rest, and is sent at the latest after the second while one writes. */
const restMs = 800
const longestMs = 4000
const retryMs = [1000, 2000, 4000, 8000] as const

/** Writes a post to the server as it is being written, one save after the other. */
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
  // What was sent without an answer: any of these may be what the server has.
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

  /** One try; true when nothing is left to save. */
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
      return await fail(asApiError(error))
    }
  }

  const fail = async (error: ApiError): Promise<boolean> => {
    if (error.code === 'EDITED_ELSEWHERE') return compare()
    const isAway = error.status === null || error.status >= 500
    set({ state: { kind: isAway ? 'away' : 'refused', error } })
    if (isAway) {
      plan(retryMs[Math.min(failures, retryMs.length - 1)] ?? 8000)
      failures += 1
    }
    return false
  }

  /** The answer to an own save may have been lost: then what the server has is what was sent. */
  const compare = async (): Promise<boolean> => {
    let theirs: SavedPost
    try {
      theirs = await ports.read()
    } catch (error) {
      return fail(asApiError(error))
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
      const sentence = 'The text has more than 200,000 characters, which is not saved.'
      set({ state: { kind: 'refused', error: new ApiError('VALIDATION_FAILED', sentence) } })
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
      set({ content: next, state: state.kind === 'away' ? state : { kind: 'saving' } })
      if (state.kind !== 'away' && running === null) {
        plan(Math.max(0, Math.min(restMs, waitingSince + longestMs - now)))
      }
      return undefined
    },
    flush,
    hear(post) {
      const { state, revision, content } = store.get()
      if (state.kind !== 'saved' || running !== null || post.revision <= revision) return
      if (isSameContent(post.content, content)) settle(post.revision, post.updatedAt)
      else replace(post)
    },
    take: replace,
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
      if (store.get().state.kind === 'away') void flush()
    },
  }
}
