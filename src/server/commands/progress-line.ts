/** Milliseconds between two updates of the line. */
const everyMs = 100

/** A progress line on standard error, shown only in a terminal. */
export function createProgressLine(): { show(text: string): void; clear(): void } {
  const isShown = process.stderr.isTTY
  let shownAt = 0
  return {
    show(text) {
      const now = performance.now()
      if (!isShown || now - shownAt < everyMs) return
      shownAt = now
      process.stderr.write(`\r\u001B[K${text}`)
    },
    clear() {
      if (isShown && shownAt > 0) process.stderr.write('\r\u001B[K')
    },
  }
}
