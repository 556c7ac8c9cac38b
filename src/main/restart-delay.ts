/** Seconds: the waits are 1, 2, 4 … 30. */
const longestDelay = 30

/** A run of at least this many milliseconds counts as healthy: the next delay is the shortest again. */
export const healthyRunMs = 60_000

export interface RestartDelay {
  /** Milliseconds until the next attempt; each call gives a longer one. */
  next(): number
  reset(): void
}

export function createRestartDelay(): RestartDelay {
  let seconds = 1
  return {
    next() {
      const delay = seconds * 1000
      seconds = Math.min(seconds * 2, longestDelay)
      return delay
    },
    reset() {
      seconds = 1
    },
  }
}
