import { write, writeSync } from 'node:fs'

const stderr = 2
/** While nobody reads standard error, about this many characters wait; further lines are not written to it. */
const maxWaiting = 4_194_304
/** Milliseconds before a write that would have blocked is repeated. */
const retryMs = 100

/**
 * Writes log lines to standard error without waiting for its reader. Lines that can't be written, as on a full disk, are
 * lost there, and nothing else depends on it. Not by pino's `destination`, which then never returns from its flush at exit.
 */
export function createLogOutput() {
  let waiting: string[] = []
  let length = 0
  let isWriting = false

  const take = (): Buffer => {
    const lines = Buffer.from(waiting.join(''))
    waiting = []
    length = 0
    return lines
  }

  const writeAll = (bytes: Buffer): void => {
    isWriting = bytes.length > 0
    if (!isWriting) return
    write(stderr, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => writeAll(bytes), retryMs).unref()
      else writeAll(error === null && written < bytes.length ? bytes.subarray(written) : take())
    })
  }

  const output = {
    write(line: string): void {
      if (length > maxWaiting) return
      waiting.push(line)
      length += line.length
      if (!isWriting) writeAll(take())
    },

    /** Writes all lines that wait, before the process exits. */
    flushSync(): void {
      try {
        for (let bytes = take(); bytes.length > 0;) bytes = bytes.subarray(writeSync(stderr, bytes))
      } catch {
        // There is nowhere to report it.
      }
    },
  }
  process.once('exit', output.flushSync)
  return output
}
