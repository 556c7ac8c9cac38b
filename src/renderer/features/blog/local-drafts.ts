import type { PostContent } from '../../../shared/contracts/content.ts'
import { deskName } from '../../lib/server/desk-presence.ts'
import { readLocal, writeLocal } from '../../lib/state/storage.ts'

/** What was written and not saved, kept on this computer. */
export interface LocalDraft {
  content: PostContent
  /** Of the saved text that it began from. */
  revision: number
  at: string
}

const prefixOf = (id: number): string => `skilldock-post-${id}-`
const ownKey = (id: number): string => `${prefixOf(id)}${deskName}`

/** Between two writes of a long text there is a moment in which one can type. */
const restMs = 200

export interface DraftKeeper {
  keep(draft: Omit<LocalDraft, 'at'> | null): void
  /** Writes at once what waits to be written. */
  flush(): void
}

/** Keeps the latest of what is not saved; null lets it go. */
export function createDraftKeeper(id: number): DraftKeeper {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: Omit<LocalDraft, 'at'> | null = null
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting !== null) {
      writeLocal(ownKey(id), JSON.stringify({ ...waiting, at: new Date().toISOString() }))
    }
    waiting = null
  }
  return {
    keep(draft) {
      waiting = draft
      if (draft !== null) timer ??= setTimeout(flush, restMs)
      else {
        clearTimeout(timer)
        timer = undefined
        writeLocal(ownKey(id), null)
      }
    },
    flush,
  }
}

/** Tells the other tabs that what is kept under this name is still being written. Gives what ends it. */
export function holdDraft(id: number): () => void {
  const ended = Promise.withResolvers<void>()
  // Where a page has no locks, every draft counts as left behind; nothing is lost by that.
  void navigator.locks?.request(ownKey(id), () => ended.promise)
  return () => ended.resolve()
}

/** Takes what a desk that has ended left unsaved: the latest, if there are several. */
export async function takeLeftDraft(id: number): Promise<LocalDraft | null> {
  const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
  const left = keysOf(id)
    .filter((key) => !held.has(key) && key !== ownKey(id))
    .flatMap((key) => {
      const draft = readDraft(key)
      return draft === null ? [] : [{ key, draft }]
    })
    .toSorted((one, other) => other.draft.at.localeCompare(one.draft.at))
  const latest = left[0]
  if (latest === undefined) return null
  // From now on it is this desk's; only then may the other place be given up.
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
