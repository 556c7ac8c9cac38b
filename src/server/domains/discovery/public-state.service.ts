import type { Database } from '../../db/database.ts'
import { publicStateRepository } from './public-state.repository.ts'

export interface PublicStateParts {
  database: Database
  /** When something becomes public by itself; null where nothing waits for its time. */
  findNextPublication(): Date | null
  clock?(): Date
}

/**
 * Keeps what is made of all that is public, such as the feed, until that changes: by a commit of any process, or
 * because the time of a post has come.
 */
export function createPublicState(parts: PublicStateParts) {
  const { database } = parts
  const repository = publicStateRepository(database.reader)
  const now = (): number => (parts.clock?.() ?? new Date()).getTime()
  let seenVersion: number | undefined
  let seenCounts = ''
  let due: number | null = null
  let passed = 0

  /** A text that differs once something else is public. Throws DATABASE_UNAVAILABLE. */
  const read = (): string => {
    database.assertAvailable()
    const version = repository.dataVersion()
    const isDue = due !== null && due <= now()
    if (isDue) passed += 1
    if (version !== seenVersion || isDue) {
      seenCounts = repository.readCounts()
      due = parts.findNextPublication()?.getTime() ?? null
      seenVersion = version
    }
    return `${seenCounts} ${passed}`
  }

  return {
    read,
    /** Makes the thing again once `base` or anything public has changed; whoever asks meanwhile waits for the same. */
    keep<T>(make: () => Promise<T>, base: () => string): () => Promise<T> {
      let kept: { state: string; value: Promise<T> } | null = null
      return () => {
        const state = `${read()} ${base()}`
        if (kept?.state === state) return kept.value
        const value = make()
        const mine = { state, value }
        kept = mine
        value.catch(() => {
          if (kept === mine) kept = null
        })
        return value
      }
    },
  }
}

export type PublicState = ReturnType<typeof createPublicState>
