import { appendFileSync } from 'node:fs'
import { appendFile, rm, stat, truncate } from 'node:fs/promises'
import { moveFile } from '../../files/durable-files.ts'
import { logTexts } from './log.texts.ts'
import type { Logger } from './logging.ts'

export interface LogFileOptions {
  /** Reports once that the file can't be written, and once that it can be written again. */
  log: Pick<Logger, 'info' | 'warn'>
  /** A file that would become larger is renamed to `FILE.1`, and so on up to `FILE.5`. */
  maxBytes?: number
}

const defaultMaxBytes = 10 * 1_048_576
const keptFiles = 5
/** Milliseconds for which lines are collected. */
const collectMs = 100
/** While the disk hangs, at most this many lines wait; further ones are only on standard error. */
const maxWaiting = 10_000

/**
 * Copies log lines to a file that is rotated by size. The file is opened again for each batch, so it may be moved or
 * removed at any time, and no problem with it affects the server.
 */
export function createLogFile(options: LogFileOptions) {
  const { log, maxBytes = defaultMaxBytes } = options
  let path: string | null = null
  let waiting: string[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  /** How many lines are missing since the file could not be written; null while it can. */
  let missing: number | null = null

  const append = async (file: string, bytes: Buffer): Promise<void> => {
    let size = await sizeOf(file)
    if (size > 0 && size + bytes.length > maxBytes) {
      await rotate(file)
      size = 0
    }
    try {
      await appendFile(file, bytes, { mode: 0o600 })
    } catch (error) {
      // A full disk may have taken a part of the last line.
      if (size > 0) await truncate(file, size).catch(() => {})
      throw error
    }
  }

  const take = (): string[] => {
    const lines = waiting
    waiting = []
    return lines
  }

  const writeTo = async (file: string | null, lines: readonly string[]): Promise<void> => {
    if (file === null || lines.length === 0) return
    try {
      await append(file, Buffer.from(lines.join('')))
      if (missing !== null) log.info({ file, missing }, logTexts.logFileWritten)
      missing = null
    } catch (error) {
      if (missing === null) log.warn({ file, err: error }, logTexts.logFileNotWritten)
      missing = (missing ?? 0) + lines.length
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    // Taken once the last batch is written, so that all lines that wait are counted.
    writing = writing.then(() => writeTo(path, take()))
    return writing
  }

  return {
    /** Adds a line, without waiting. */
    write(line: string): void {
      if (path === null || waiting.length >= maxWaiting) return
      waiting.push(line)
      timer ??= setTimeout(() => void flush(), collectMs).unref()
    },

    /** Writes to another file, or to none. */
    choose(next: string | null): void {
      if (next === path) return
      const [former, lines] = [path, take()]
      writing = writing.then(() => writeTo(former, lines))
      path = next
    },

    /** Writes all lines that wait, before the process exits. */
    flushSync(): void {
      const lines = take().join('')
      try {
        if (path !== null) appendFileSync(path, lines, { mode: 0o600 })
      } catch {
        // The process is about to exit; the lines are on standard error.
      }
    },

    /** Writes all lines that wait. */
    end: flush,
  }
}

export type LogFile = ReturnType<typeof createLogFile>

/** Renames the file to `FILE.1`, `FILE.1` to `FILE.2`, and so on; the oldest is removed. */
async function rotate(file: string): Promise<void> {
  await rm(`${file}.${keptFiles}`, { force: true })
  for (let n = keptFiles - 1; n >= 0; n -= 1) {
    const from = n === 0 ? file : `${file}.${n}`
    if ((await sizeOf(from)) >= 0) await moveFile(from, `${file}.${n + 1}`)
  }
}

/** The size of a file; -1 if it does not exist. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch {
    return -1
  }
}
