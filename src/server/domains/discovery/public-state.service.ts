import type { Database } from '../../db/database.ts'
import { publicStateRepository } from './public-state.repository.ts'

interface PublicStateParts {
  database: Database
  /** The registry's public URL, which is in what is generated. */
  publicUrl(): string
  /** When the next scheduled post becomes public, or null. */
  findNextPublication(): Date | null
}

/**
 * Caches what is generated from all public data, such as the feed, until that data changes through a commit of any
 * process or because a scheduled post becomes public.
 */
export function createPublicState(parts: PublicStateParts) {
  const { database } = parts
  const repository = publicStateRepository(database.reader)
  let seenVersion: number | undefined
  let seenCounts = ''
  let due: number | null = null
  let publications = 0

  /** A text that changes whenever public data or the public URL changes. Throws DATABASE_UNAVAILABLE. */
  const read = (): string => {
    database.assertAvailable()
    const version = repository.dataVersion()
    const isDue = due !== null && due <= Date.now()
    if (isDue) publications += 1
    if (version !== seenVersion || isDue) {
      seenCounts = repository.readCounts()
      due = parts.findNextPublication()?.getTime() ?? null
      seenVersion = version
    }
    return `${seenCounts} ${publications} ${parts.publicUrl()}`
  }

  return {
    read,
    /** Calls `make` again only after that text has changed. Concurrent callers share one result. */
    cached<T>(make: () => Promise<T>): () => Promise<T> {
      let entry: { state: string; value: Promise<T> } | null = null
      return () => {
        const state = read()
        if (entry?.state === state) return entry.value
        const value = make()
        const added = { state, value }
        entry = added
        value.catch(() => {
          if (entry === added) entry = null
        })
        return value
      }
    },
  }
}

export type PublicState = ReturnType<typeof createPublicState>
