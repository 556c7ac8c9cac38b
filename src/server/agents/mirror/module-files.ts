import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { AgentModule } from '../../../shared/contracts/desk-agents-common.ts'

/** The largest package the registry accepts. */
const maxBytes = 16_777_216
/** Bytes read at once: a few milliseconds. */
const chunkBytes = 2_097_152
/** Milliseconds after which a file is checked again; one check takes a hundredth of a millisecond. */
const recheckMs = 5000
const recheckMsPerFile = 6

type ModuleFile = Pick<AgentModule, 'digest' | 'bytes' | 'problem'>

interface CachedFile extends ModuleFile {
  identity: string
  checkedAt: number
}

const waiting: ModuleFile = { digest: null, bytes: null, problem: 'waiting' }

/**
 * Digests of the modules that agents run. A file is hashed once, and again when it changes. `database` is the path of
 * the project's database; relative module paths start at the project folder.
 */
export function moduleFiles(database: string) {
  const folder = dirname(dirname(database))
  const known = new Map<string, CachedFile>()
  const buffer = Buffer.alloc(chunkBytes)
  let version = 0
  /** The rest of the current pass over the files. */
  let pass: Generator<void> | null = null

  const store = (source: string, identity: string, file: ModuleFile): void => {
    const before = known.get(source)
    if (before?.digest !== file.digest || before.problem !== file.problem) version += 1
    known.set(source, { ...file, identity, checkedAt: Date.now() })
  }

  /** Checks a file and hashes it if it has changed, one chunk per step. */
  function* checkFile(source: string): Generator<void> {
    const path = isAbsolute(source) ? source : join(folder, source)
    let identity = 'missing'
    let fd: number | null = null
    try {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
      if (stats !== undefined)
        identity = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':')
      const before = known.get(source)
      const size = Number(stats?.size)
      if (stats === undefined) store(source, identity, { ...waiting, problem: 'missing' })
      else if (before?.identity === identity) store(source, identity, before)
      else if (!stats.isFile()) store(source, identity, { ...waiting, problem: 'unreadable' })
      else if (size > maxBytes) store(source, identity, { digest: null, bytes: size, problem: 'too large' })
      else {
        // Without O_NONBLOCK, a pipe that has replaced the file would block forever.
        fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
        const hash = createHash('sha256')
        let bytes = 0
        for (let count = 1; count > 0 && bytes <= maxBytes; bytes += count) {
          yield
          count = readSync(fd, buffer, 0, chunkBytes, bytes)
          hash.update(buffer.subarray(0, count))
        }
        if (bytes === size) store(source, identity, { digest: hash.digest('hex'), bytes, problem: null })
        else store(source, 'changing', { digest: null, bytes, problem: 'waiting' })
      }
    } catch {
      store(source, identity, { ...waiting, problem: identity === 'missing' ? 'missing' : 'unreadable' })
    } finally {
      if (fd !== null) closeSync(fd)
    }
  }

  function* checkAll(sources: ReadonlySet<string>): Generator<void> {
    const old = Date.now() - Math.max(recheckMs, sources.size * recheckMsPerFile)
    for (const source of [...sources].filter((one) => (known.get(one)?.checkedAt ?? 0) < old)) {
      yield* checkFile(source)
      yield
    }
  }

  return {
    find: (source: string): ModuleFile => known.get(source) ?? waiting,
    /** Increases when the digest of a file changes. */
    get version(): number {
      return version
    },

    /** Checks the files and hashes what is new, until `deadline`. True when done. */
    sync(sources: ReadonlySet<string>, deadline: number): boolean {
      pass ??= checkAll(sources)
      while (pass.next().done !== true) if (performance.now() > deadline) return false
      pass = null
      for (const source of known.keys()) if (!sources.has(source)) known.delete(source)
      return true
    },

    /** Closes any open file. */
    end(): void {
      pass?.return(undefined)
      pass = null
    },
  }
}

export type ModuleFiles = ReturnType<typeof moduleFiles>
