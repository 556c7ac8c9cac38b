/** Failures on the same files after which those are not opened any more. */
const mostFailures = 2
const firstRestartMs = 1000
const longestRestartMs = 60_000

/** Counts how often the reading process failed, and on which files. */
export function createReaderFailures() {
  let opened: string | null = null
  let failed: string | null = null
  let count = 0
  /** In a row, whatever the files. */
  let row = 0
  let lastAt = -Infinity

  return {
    /** The process is about to open the files with this trace. */
    open(trace: string): void {
      opened = trace
    },

    /** It has failed. Gives the failures in a row on these files, and when to start the next one. */
    add(): { count: number; restartMs: number } {
      const now = performance.now()
      count = opened === failed ? count + 1 : 1
      failed = opened
      // A process that worked for longer than the longest wait begins another row.
      row = now - lastAt > 2 * longestRestartMs ? 1 : row + 1
      lastAt = now
      return { count, restartMs: Math.min(firstRestartMs * 2 ** (row - 1), longestRestartMs) }
    },

    /** The trace of the files that must not be opened; null where there are none. */
    avoid: (): string | null => (count >= mostFailures ? failed : null),

    reset(): void {
      opened = null
      failed = null
      count = 0
      row = 0
    },
  }
}
