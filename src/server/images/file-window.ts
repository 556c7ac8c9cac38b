import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const windowBytes = 262_144

/** Reads parts of a file without loading all of it. */
export interface FileWindow {
  readonly size: number
  /** The bytes from `at`, fewer at the end of the file; valid until the next call. */
  read(at: number, length: number): Buffer
  close(): void
}

export function openWindow(path: string): FileWindow {
  const file = openSync(path, 'r')
  const { size } = fstatSync(file)
  let buffer: Buffer = Buffer.alloc(0)
  let start = 0

  const fill = (at: number, length: number): void => {
    const count = Math.max(0, Math.min(Math.max(length, windowBytes), size - at))
    const bytes = Buffer.allocUnsafe(count)
    let filled = 0
    while (filled < count) {
      const read = readSync(file, bytes, filled, count - filled, at + filled)
      if (read === 0) break
      filled += read
    }
    buffer = bytes.subarray(0, filled)
    start = at
  }

  return {
    size,
    read(at, length) {
      if (at < start || at + length > start + buffer.length) fill(at, length)
      return buffer.subarray(at - start, at - start + length)
    },
    close: () => closeSync(file),
  }
}
