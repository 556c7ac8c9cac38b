import type { PostContent } from '../../../shared/contracts/content.ts'
import { deskName } from '../../lib/server/desk-presence.ts'
import { draftKey, readLocal, writeLocal } from '../../lib/state/storage.ts'

/** Unsaved changes of the signed-in person, kept in this browser's local storage. */
export interface LocalDraft {
  content: PostContent
  /** The revision that the changes are based on. */
  revision: number
  at: string
}

const prefixOf = (id: number): string => `${draftKey('skilldock-post-', id)}-`
const ownKey = (id: number): string => `${prefixOf(id)}${deskName}`

/** Milliseconds between two writes: writing a long text blocks typing. */
const writeDelayMs = 200

export interface DraftKeeper {
  keep(draft: Omit<LocalDraft, 'at'> | null): void
  /** Writes a pending draft immediately. */
  flush(): void
}

/** Stores the latest unsaved draft; null deletes it. */
export function createDraftKeeper(id: number): DraftKeeper {
  // Read now, because another person may sign in before the draft is written.
  const key = ownKey(id)
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: Omit<LocalDraft, 'at'> | null = null
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting !== null) {
      writeLocal(key, JSON.stringify({ ...waiting, at: new Date().toISOString() }))
    }
    waiting = null
  }
  return {
    keep(draft) {
      waiting = draft
      if (draft !== null) timer ??= setTimeout(flush, writeDelayMs)
      else {
        clearTimeout(timer)
        timer = undefined
        writeLocal(key, null)
      }
    },
    flush,
  }
}

/** Marks this tab's draft as in use, so that other tabs do not recover it. Returns a function that releases it. */
export function lockDraft(id: number): () => void {
  const ended = Promise.withResolvers<void>()
  // Without the Web Locks API every draft counts as abandoned, which loses nothing.
  void navigator.locks?.request(ownKey(id), () => ended.promise)
  return () => ended.resolve()
}

/** Takes over the unsaved changes of a desk that was closed: the latest draft if there are several. */
export async function takeRecoveredDraft(id: number): Promise<LocalDraft | null> {
  const inUse = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
  const abandoned = keysOf(id)
    .filter((key) => !inUse.has(key) && key !== ownKey(id))
    .flatMap((key) => {
      const draft = readDraft(key)
      return draft === null ? [] : [{ key, draft }]
    })
    .toSorted((one, other) => other.draft.at.localeCompare(one.draft.at))
  const latest = abandoned[0]
  if (latest === undefined) return null
  // Copied before the original is deleted, so that a crash in between loses nothing.
  writeLocal(ownKey(id), JSON.stringify(latest.draft))
  writeLocal(latest.key, null)
  return latest.draft
}

function keysOf(id: number): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(id)))
  } catch {
    return []
  }
}

function readDraft(key: string): LocalDraft | null {
  try {
    const draft = JSON.parse(readLocal(key) ?? 'null') as LocalDraft | null
    return typeof draft?.content?.markdown === 'string' ? draft : null
  } catch {
    return null
  }
}
