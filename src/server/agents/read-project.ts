import type Sqlite from 'better-sqlite3'
import { asForeignProblem, openForeign } from '../db/open-foreign.ts'
import type { ForeignMode } from '../db/open-foreign.ts'
import { wrapConnection } from './agents-database.ts'
import type { AgentsDatabase } from './agents-database.ts'
import { copyProject } from './copy-project.ts'
import { identityOf, lookAtFiles, readFormat } from './project-files.ts'
import type { ProjectFiles } from './project-files.ts'
import type { UnreadableReason } from './explain-problem.ts'
import { findUnsafeFile } from './unsafe-files.ts'

/**
 * How one attempt to read ended. `again`: its owner did something meanwhile that makes the attempt worthless; `problem`:
 * `locked` may be over in a moment, the others are as they are until somebody changes the files.
 */
export type Attempt<T> =
  | { kind: 'value'; value: T; files: ProjectFiles }
  | { kind: 'missing' }
  | { kind: 'again' }
  | { kind: 'problem'; reason: UnreadableReason; message: string }

/**
 * Reads another program's database once, within one transaction, and leaves its folder as it is (rulings, "Dashboard
 * API"). Never waits longer than SQLite's own 50 ms.
 */
export function readProject<T>(file: string, work: (database: AgentsDatabase) => T): Attempt<T> {
  try {
    const before = lookAtFiles(file)
    if (before.main === null) return { kind: 'missing' }
    if (!before.main.isFile())
      return { kind: 'problem', reason: 'not-a-database', message: 'not a regular file' }
    const unsafe = findUnsafeFile(file)
    if (unsafe !== null) return { kind: 'problem', reason: 'unsafe-files', message: unsafe }
    return attempt(file, before, work)
  } catch (error) {
    const problem = asFileProblem(error)
    if (problem === null) throw error
    return problem
  }
}

function attempt<T>(file: string, before: ProjectFiles, work: (database: AgentsDatabase) => T): Attempt<T> {
  const mode = modeOf(file, before)
  if (mode === null) {
    return {
      kind: 'problem',
      reason: 'not-a-database',
      message: 'the file does not start with an SQLite header',
    }
  }
  let result = readAt(file, file, mode, before, work)
  if (isUnfinished(before, result)) result = readCopy(file, work)
  return hasMoved(file, mode, before, result) ? { kind: 'again' } : result
}

/** An empty file is a database without a table; it says nothing of how it will be written. */
function modeOf(file: string, { main, wal, hasIndex }: ProjectFiles): ForeignMode | null {
  if (main?.size === 0n) return 'immutable'
  const format = readFormat(file)
  if (format === 'none') return null
  if (format === 'rollback') return 'locked'
  // An empty log that nobody has open may be our own trace: SQLite makes one where an owner closes while it opens.
  return wal === null || (wal.size === 0n && !hasIndex) ? 'immutable' : 'logged'
}

/** Whether nobody has the database open, and its last owner has left work that only a writer may finish. */
function isUnfinished({ wal, hasIndex }: ProjectFiles, result: Attempt<unknown>): boolean {
  if (result.kind !== 'problem') return false
  return result.reason === 'half-written' || (wal !== null && !hasIndex && result.reason === 'failed')
}

/** Reads what an owner who is gone has left unfinished: a copy is repaired as the owner would repair the file. */
function readCopy<T>(file: string, work: (database: AgentsDatabase) => T): Attempt<T> {
  const copy = copyProject(file)
  if (typeof copy === 'string') return { kind: 'problem', reason: 'half-written', message: copy }
  try {
    return readAt(copy.file, file, 'copied', copy.files, work)
  } finally {
    copy.remove()
  }
}

/** Reads `place`, which is the file or a copy of it. */
function readAt<T>(
  place: string,
  file: string,
  mode: ForeignMode,
  files: ProjectFiles,
  work: (database: AgentsDatabase) => T,
): Attempt<T> {
  try {
    return { kind: 'value', value: readWith(openForeign(place, mode), file, files, work), files }
  } catch (error) {
    if (error instanceof WorkFailure) throw error.cause
    const problem = asForeignProblem(error)
    if (problem === null) throw error
    return { kind: 'problem', ...problem }
  }
}

/** What a query throws by itself says nothing about the file. */
class WorkFailure extends Error {}

function readWith<T>(
  connection: Sqlite.Database,
  file: string,
  files: ProjectFiles,
  work: (database: AgentsDatabase) => T,
): T {
  try {
    connection.exec('BEGIN')
    // An owner who has just been met is met before the query does any work.
    connection.pragma('schema_version')
    const database = wrapConnection(connection, file, files)
    try {
      return work(database)
    } catch (error) {
      throw database.hasThrown(error)
        ? error
        : new WorkFailure('not a problem with the file', { cause: error })
    }
  } finally {
    connection.close()
  }
}

/**
 * What was read without locks is worth something only if nobody has come meanwhile; and what went wrong may have
 * gone wrong only because somebody came.
 */
function hasMoved<T>(file: string, mode: ForeignMode, before: ProjectFiles, result: Attempt<T>): boolean {
  if ((mode === 'locked' || mode === 'logged') && result.kind === 'value') return false
  if (result.kind === 'problem' && result.reason === 'locked') return false
  const after = lookAtFiles(file)
  return identityOf(after) !== identityOf(before) || after.hasIndex !== before.hasIndex
}

const denied = new Set(['EACCES', 'EPERM'])

function asFileProblem(error: unknown): Attempt<never> | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null
  if (error.code === 'ENOENT') return { kind: 'again' }
  const reason = denied.has(String(error.code)) ? 'not-allowed' : 'failed'
  return { kind: 'problem', reason, message: error.message }
}
