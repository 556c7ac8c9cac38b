import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '../../shared/errors.ts'
import { asDatabaseUnavailable } from './database-errors.ts'

/** How often a write is tried that nobody repeats; each time waits for the lock as long as any other write. */
const attempts = 4
const pauseMs = 100

/** Whether the database is busy or away, so that a repeat may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'DATABASE_UNAVAILABLE'
  return asDatabaseUnavailable(error) !== null
}

/** A write at the start or at the stop, when nobody is there to try it again. */
export async function persist(write: () => Promise<void>): Promise<void> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      // Each attempt begins when the one before it has failed.
      // oxlint-disable-next-line no-await-in-loop
      await write()
      return
    } catch (error) {
      if (left === 0 || !isUnavailable(error)) throw error
    }
    // oxlint-disable-next-line no-await-in-loop
    await delay(pauseMs)
  }
}
