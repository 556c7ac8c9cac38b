/** Failures on the same files after which they are no longer opened. */
const maxFailures = 2
const firstRestartMs = 1000
const maxRestartMs = 60_000

/** Counts failures of the reading process, by files. */
export function createReaderFailures() {
  let opened: string | null = null
  let failed: string | null = null
  let count = 0
  /** Consecutive failures on any files. */
  let consecutive = 0
  let lastAt = -Infinity

  return {
    /** The process is about to open the files with this trace. */
    open(trace: string): void {
      opened = trace
    },

    /** Records a failure. Returns the consecutive failures on these files, and the delay before the restart. */
    add(): { count: number; restartMs: number } {
      const now = performance.now()
      count = opened === failed ? count + 1 : 1
      failed = opened
      // If the process ran for longer than the longest delay, counting starts over.
      consecutive = now - lastAt > 2 * maxRestartMs ? 1 : consecutive + 1
      lastAt = now
      return { count, restartMs: Math.min(firstRestartMs * 2 ** (consecutive - 1), maxRestartMs) }
    },

    /** The trace of files that must not be opened; null if all may be. */
    avoid: (): string | null => (count >= maxFailures ? failed : null),

    reset(): void {
      opened = null
      failed = null
      count = 0
      consecutive = 0
    },
  }
}
