import type Sqlite from 'better-sqlite3'
import { asForeignProblem, openForeign } from '../db/open-foreign.ts'
import type { ForeignMode } from '../db/open-foreign.ts'
import { wrapConnection } from './agents-database.ts'
import type { AgentsDatabase } from './agents-database.ts'
import { copyProject } from './copy-project.ts'
import { identityOf, journalOf, statProjectFiles } from './project-files.ts'
import type { ProjectFiles } from './project-files.ts'
import { problemOf } from './reader-messages.ts'
import type { Problem } from './reader-messages.ts'
import { findUnsafeFile } from './unsafe-files.ts'

/** The result of one attempt to read. `busy` may be over in a moment, `unreadable` lasts until the files change. */
export type Attempt<T> = { state: 'ready'; value: T; files: ProjectFiles } | { state: 'missing' } | Problem

/** The owner changed the files during the read, so the result is worthless. */
const filesChanged = problemOf('locked', 'the files keep changing')

/**
 * Reads another program's database once, within one transaction, without changing its folder (rulings, "Dashboard
 * API"). Waits for a lock for at most SQLite's own 50 ms.
 */
export function readProject<T>(file: string, work: (database: AgentsDatabase) => T): Attempt<T> {
  try {
    const before = statProjectFiles(file)
    if (before.main === null) return { state: 'missing' }
    if (!before.main.isFile()) return problemOf('not-a-database', 'not a regular file')
    const unsafe = findUnsafeFile(file)
    if (unsafe !== null) return problemOf('unsafe-files', unsafe)
    return attempt(file, before, work)
  } catch (error) {
    const problem = asFileProblem(error)
    if (problem === null) throw error
    return problem
  }
}

function attempt<T>(file: string, before: ProjectFiles, work: (database: AgentsDatabase) => T): Attempt<T> {
  const mode = modeOf(file, before)
  if (mode === null) return problemOf('not-a-database', 'the file does not start with an SQLite header')
  let result = readAt(file, file, mode, before, work)
  if (isUnfinished(before, result)) result = readCopy(file, work)
  return changedDuringRead(file, mode, before, result) ? filesChanged : result
}

/** An empty file is a database without tables, with an unknown journal mode. */
function modeOf(file: string, { main, wal, hasIndex }: ProjectFiles): ForeignMode | null {
  if (main?.size === 0n) return 'immutable'
  const journal = journalOf(file)
  if (journal === null) return null
  if (journal === 'rollback') return 'locked'
  // An empty log that no program has open may be our own trace: SQLite creates one if an owner closes while it opens.
  return wal === null || (wal.size === 0n && !hasIndex) ? 'immutable' : 'logged'
}

/** Whether no program has the database open, and its last owner left work that only a writer can finish. */
function isUnfinished({ wal, hasIndex }: ProjectFiles, result: Attempt<unknown>): boolean {
  if (!('reason' in result)) return false
  return result.reason === 'half-written' || (wal !== null && !hasIndex && result.reason === 'failed')
}

/** Reads what a terminated owner left unfinished: a copy is repaired the way the owner would repair the file. */
function readCopy<T>(file: string, work: (database: AgentsDatabase) => T): Attempt<T> {
  const copy = copyProject(file)
  if (typeof copy === 'string') return problemOf('half-written', copy)
  try {
    return readAt(copy.file, file, 'copied', copy.files, work)
  } finally {
    copy.remove()
  }
}

/** Reads `place`, which is the file or a copy of it. An error of the query itself, unrelated to the file, is thrown. */
function readAt<T>(
  place: string,
  file: string,
  mode: ForeignMode,
  files: ProjectFiles,
  work: (database: AgentsDatabase) => T,
): Attempt<T> {
  let connection: Sqlite.Database | undefined
  let database: AgentsDatabase | undefined
  try {
    connection = openForeign(place, mode)
    connection.exec('BEGIN')
    // Finds a concurrent owner before the query does any work.
    connection.pragma('schema_version')
    database = wrapConnection(connection, file, files)
    return { state: 'ready', value: work(database), files }
  } catch (error) {
    const problem = database?.isOwnError(error) === false ? null : asForeignProblem(error)
    if (problem === null) throw error
    return problemOf(problem.reason, problem.message)
  } finally {
    connection?.close()
  }
}

/** A result read without locks is only valid if no owner appeared meanwhile; and an error may only be due to that. */
function changedDuringRead(
  file: string,
  mode: ForeignMode,
  before: ProjectFiles,
  { state }: Attempt<unknown>,
): boolean {
  if (state === 'busy' || (mode !== 'immutable' && state === 'ready')) return false
  const after = statProjectFiles(file)
  return identityOf(after) !== identityOf(before) || after.hasIndex !== before.hasIndex
}

const denied = new Set(['EACCES', 'EPERM'])

function asFileProblem(error: unknown): Problem | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null
  if (error.code === 'ENOENT') return filesChanged
  return problemOf(denied.has(String(error.code)) ? 'not-allowed' : 'failed', error.message)
}
