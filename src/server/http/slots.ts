import { DomainError } from '../../shared/errors.ts'

/** Seconds that a client is asked to wait for a slot. */
const retryAfterSeconds = 2

export interface Slots {
  /** Takes a slot or throws TOO_MANY_REQUESTS; the function that it gives frees the slot, once. */
  take(): () => void
  readonly used: number
}

/** The request concurrency limit (section 8): at most `limit` of one kind of request at once. */
export function createSlots(limitNow: () => number, what: string): Slots {
  let used = 0
  return {
    take() {
      const limit = limitNow()
      if (used >= limit) {
        throw new DomainError(
          'TOO_MANY_REQUESTS',
          `This server is busy with ${limit} ${what} already. Try again in ${retryAfterSeconds} s.`,
          { retryAfter: retryAfterSeconds },
        )
      }
      used += 1
      let held = true
      return () => {
        if (held) used -= 1
        held = false
      }
    },
    get used() {
      return used
    },
  }
}
