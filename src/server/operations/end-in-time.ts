import { writeSync } from 'node:fs'
import process from 'node:process'

/** Milliseconds from the request to stop to the end of the process, whatever hangs. */
const defaultLimitMs = 9500

/**
 * Ends this process in time, once it was asked to stop. It is killed, because `process.exit` waits for a file operation
 * that never returns.
 */
export function endInTime(limitMs = defaultLimitMs): void {
  setTimeout(() => {
    writeSync(2, `Skilldock did not stop within ${limitMs / 1000} s and is killed.\n`)
    process.kill(process.pid, 'SIGKILL')
  }, limitMs).unref()
}
