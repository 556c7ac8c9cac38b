/** In seconds. The delays are 1, 2, 4 … 30. */
const longestDelay = 30

/** After a run of at least this many milliseconds, the delay is reset. */
export const healthyRunMs = 60_000

interface RestartDelay {
  /** Milliseconds until the next attempt. Each call returns a longer delay, up to the maximum. */
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
