import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/** As large as a package of the registry can be. */
const maxBytes = 16_777_216
/** Read at once: a few milliseconds. */
const pieceBytes = 2_097_152
/** Milliseconds after which a file is looked at again: one look takes a hundredth of one. */
const lookAgainMs = 5000
const lookAgainMsEach = 6

export interface ModuleFile {
  digest: string | null
  bytes: number | null
  problem: 'waiting' | 'missing' | 'too large' | 'unreadable' | null
}

interface Known extends ModuleFile {
  identity: string
  lookedAt: number
}

interface Reading {
  source: string
  fd: number
  hash: Hash
  size: number
  done: number
  identity: string
}

const waiting: ModuleFile = { digest: null, bytes: null, problem: 'waiting' }

/**
 * The digests of the modules that agents run. A file is hashed once, and again when it has become another one.
 * `database` is the path of the project's database, below whose folder relative paths begin.
 */
export function moduleFiles(database: string) {
  const folder = dirname(dirname(database))
  const known = new Map<string, Known>()
  const buffer = Buffer.alloc(pieceBytes)
  let reading: Reading | null = null
  let queue: string[] = []
  let version = 0

  const note = (source: string, identity: string, file: ModuleFile): void => {
    const before = known.get(source)
    if (before?.digest !== file.digest || before.problem !== file.problem) version += 1
    known.set(source, { ...file, identity, lookedAt: Date.now() })
  }

  const begin = (source: string): void => {
    const path = isAbsolute(source) ? source : join(folder, source)
    let identity = 'missing'
    try {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
      if (stats === undefined) return note(source, identity, { ...waiting, problem: 'missing' })
      identity = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':')
      const before = known.get(source)
      if (before?.identity === identity) {
        before.lookedAt = Date.now()
        return
      }
      const size = Number(stats.size)
      if (!stats.isFile()) return note(source, identity, { ...waiting, problem: 'unreadable' })
      if (size > maxBytes) return note(source, identity, { digest: null, bytes: size, problem: 'too large' })
      // A pipe that has taken the file's place meanwhile would never answer.
      const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      reading = { source, fd, hash: createHash('sha256'), size, done: 0, identity }
    } catch {
      note(source, identity, { ...waiting, problem: identity === 'missing' ? 'missing' : 'unreadable' })
    }
  }

  const goOn = (current: Reading): void => {
    try {
      const count = readSync(current.fd, buffer, 0, pieceBytes, current.done)
      current.hash.update(buffer.subarray(0, count))
      current.done += count
      if (count > 0 && current.done <= maxBytes) return
      const isWhole = current.done === current.size
      note(current.source, isWhole ? current.identity : 'changing', {
        digest: isWhole ? current.hash.digest('hex') : null,
        bytes: current.done,
        problem: isWhole ? null : 'waiting',
      })
    } catch {
      note(current.source, current.identity, { ...waiting, problem: 'unreadable' })
    }
    closeSync(current.fd)
    reading = null
  }

  return {
    find: (source: string): ModuleFile => known.get(source) ?? waiting,
    /** Another number means another digest of some file. */
    get version(): number {
      return version
    },

    /** Looks at the files and hashes what is new, until `deadline`. True when nothing is left. */
    sync(sources: ReadonlySet<string>, deadline: number): boolean {
      if (queue.length === 0 && reading === null) {
        const old = Date.now() - Math.max(lookAgainMs, sources.size * lookAgainMsEach)
        queue = [...sources].filter((source) => (known.get(source)?.lookedAt ?? 0) < old)
      }
      for (;;) {
        const source = reading === null ? queue.pop() : undefined
        if (reading !== null) goOn(reading)
        else if (source === undefined) break
        else begin(source)
        if (performance.now() > deadline) return false
      }
      for (const source of known.keys()) if (!sources.has(source)) known.delete(source)
      return true
    },

    /** Closes what is open. */
    end(): void {
      if (reading !== null) closeSync(reading.fd)
      reading = null
    },
  }
}

export type ModuleFiles = ReturnType<typeof moduleFiles>
