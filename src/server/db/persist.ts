import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '../../shared/errors.ts'
import { asDatabaseUnavailable } from './database-errors.ts'

/** Attempts at a write that no client would retry; each waits for the lock as long as any other write. */
const attempts = 4
const pauseMs = 100

/** Whether the database is busy or unavailable, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'DATABASE_UNAVAILABLE'
  return asDatabaseUnavailable(error) !== null
}

/** Retries a write during startup or shutdown, when no client would retry it. */
export async function persist(write: () => Promise<void>): Promise<void> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      // One attempt after the other.
      await write()
      return
    } catch (error) {
      if (left === 0 || !isUnavailable(error)) throw error
    }
    await delay(pauseMs)
  }
}
