import { writeSync } from 'node:fs'
import process from 'node:process'

/** Milliseconds from the request to stop until the process is killed. */
const defaultLimitMs = 9500

/**
 * Ensures that a stopping process ends in time. Kills it, because `process.exit` would wait for a file operation that
 * never returns.
 */
export function endInTime(limitMs = defaultLimitMs): void {
  setTimeout(() => {
    writeSync(2, `Skilldock did not stop within ${limitMs / 1000} s and was killed.\n`)
    process.kill(process.pid, 'SIGKILL')
  }, limitMs).unref()
}
