import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'

/** Where an agent project keeps its database. */
export function databaseOf(folder: string): string {
  return join(folder, 'data', 'nexus.db')
}

/** The database and what lies beside it, as the system tells without opening anything. */
export interface ProjectFiles {
  main: BigIntStats | null
  wal: BigIntStats | null
  hasIndex: boolean
  journal: BigIntStats | null
}

/** A folder that cannot be entered is the caller's to explain: every error but "not there" is thrown. */
export function lookAtFiles(file: string): ProjectFiles {
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
    // A part of the path is a file by now.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return null
    throw error
  }
}

/** Equal exactly when nobody has written to the files or put others in their place, as far as the system tells. */
export function identityOf({ main, wal }: Pick<ProjectFiles, 'main' | 'wal'>): string {
  // Permissions count for the database. The log's change with each opening of SQLite by the system's administrator.
  return `${oneIdentity(main)} ${main?.ctimeNs ?? ''} ${oneIdentity(wal)}`
}

function oneIdentity(stats: BigIntStats | null): string {
  return stats === null ? '-' : [stats.dev, stats.ino, stats.size, stats.mtimeNs].join(':')
}

/** Differs whenever one of the files was replaced or written, as far as the system tells. */
export function traceOf({ main, wal, hasIndex, journal }: ProjectFiles): string {
  return [oneIdentity(main), oneIdentity(wal), hasIndex, oneIdentity(journal)].join(' ')
}

/** Milliseconds within which a second write could leave the same time behind: file systems count time in steps. */
const timeStepMs = 100n

/** Whether the files may change once more without looking any different. */
export function isFresh({ main, wal }: Pick<ProjectFiles, 'main' | 'wal'>, now: number): boolean {
  const since = BigInt(now) - timeStepMs
  return [main, wal].some((stats) => stats !== null && stats.mtimeMs > since)
}

/** When database or log were written last. */
export function changedAtOf({ main, wal }: ProjectFiles): string | null {
  if (main === null) return null
  const last = wal !== null && wal.mtimeMs > main.mtimeMs ? wal.mtimeMs : main.mtimeMs
  return new Date(Number(last)).toISOString()
}

export function sizeOf({ main, wal }: ProjectFiles): number | null {
  return main === null ? null : Number(main.size + (wal?.size ?? 0n))
}

export type FileFormat = 'wal' | 'rollback' | 'none'

const headerBytes = 20
const magic = 'SQLite format 3\0'

/** What the first bytes of the file say: how its owner writes it, or that it is no database. */
export function readFormat(file: string): FileFormat {
  const header = Buffer.alloc(headerBytes)
  const fd = openSync(file, 'r')
  try {
    readSync(fd, header, 0, headerBytes, 0)
  } finally {
    closeSync(fd)
  }
  if (header.toString('latin1', 0, magic.length) !== magic) return 'none'
  return header[19] === 2 ? 'wal' : 'rollback'
}
