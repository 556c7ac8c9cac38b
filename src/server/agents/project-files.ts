import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../shared/errors.ts'

/** Path of the database in an agent project. */
export function databaseOf(folder: string): string {
  return join(folder, 'data', 'nexus.db')
}

/** The database and the files next to it, as reported by the file system without opening them. */
export interface ProjectFiles {
  main: BigIntStats | null
  wal: BigIntStats | null
  hasIndex: boolean
  journal: BigIntStats | null
}

/** Throws any error but "not found": the caller explains a folder without access. */
export function statProjectFiles(file: string): ProjectFiles {
  return {
    main: statOf(file),
    wal: statOf(`${file}-wal`),
    hasIndex: statOf(`${file}-shm`) !== null,
    journal: statOf(`${file}-journal`),
  }
}

function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch (error) {
    // Part of the path is a file now.
    if (codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

/** Changes when the files were written or replaced, as far as the file system shows. */
export function identityOf({ main, wal }: Pick<ProjectFiles, 'main' | 'wal'>): string {
  // For the database, permission changes count too. For the log they do not, because its permissions change each time
  // the system administrator opens the database with SQLite.
  return `${oneIdentity(main)} ${main?.ctimeNs ?? ''} ${oneIdentity(wal)}`
}

function oneIdentity(stats: BigIntStats | null): string {
  return stats === null ? '-' : [stats.dev, stats.ino, stats.size, stats.mtimeNs].join(':')
}

/** Changes when any of the files was written or replaced, as far as the file system shows. */
export function traceOf({ main, wal, hasIndex, journal }: ProjectFiles): string {
  return [oneIdentity(main), oneIdentity(wal), hasIndex, oneIdentity(journal)].join(' ')
}

/** Clock resolution of file systems, in milliseconds: a second write within it may leave the same time. */
const timeStepMs = 100n

/** Whether the files may change again without a visible difference. */
export function isFresh({ main, wal }: Pick<ProjectFiles, 'main' | 'wal'>, now: number): boolean {
  const since = BigInt(now) - timeStepMs
  return [main, wal].some((stats) => stats !== null && stats.mtimeMs > since)
}

/** When the database or its log was last written. */
export function changedAtOf({ main, wal }: ProjectFiles): string | null {
  if (main === null) return null
  const last = wal !== null && wal.mtimeMs > main.mtimeMs ? wal.mtimeMs : main.mtimeMs
  return new Date(Number(last)).toISOString()
}

export function sizeOf({ main, wal }: ProjectFiles): number | null {
  return main === null ? null : Number(main.size + (wal?.size ?? 0n))
}

const magic = 'SQLite format 3\0'
/** The byte of the header that says how the file is written. */
const versionAt = 19

/** How the owner writes the file, according to its first bytes; null if it is not a database. */
export function journalOf(file: string): 'wal' | 'rollback' | null {
  const header = readBytes(file, 0, versionAt + 1)
  if (header.toString('latin1', 0, magic.length) !== magic) return null
  return header[versionAt] === 2 ? 'wal' : 'rollback'
}

/** Reads bytes of a file from a position; a negative one counts from the end. */
export function readBytes(file: string, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const fd = openSync(file, 'r')
  try {
    const start = position < 0 ? Math.max(0, fstatSync(fd).size + position) : position
    readSync(fd, bytes, 0, length, start)
  } finally {
    closeSync(fd)
  }
  return bytes
}
