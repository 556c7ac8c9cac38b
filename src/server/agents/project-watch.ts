import {
  changedAtOf,
  databaseOf,
  identityOf,
  isFresh,
  sizeOf,
  statProjectFiles,
  traceOf,
} from './project-files.ts'
import type { ProjectFiles } from './project-files.ts'
import { readProject } from './read-project.ts'
import type { Attempt } from './read-project.ts'
import { problemOf } from './reader-messages.ts'
import type { FromReader, Problem, WatchedProject } from './reader-messages.ts'

const pollEveryMs = 500

type Found = Pick<WatchedProject, 'state' | 'reason' | 'detail'>
const nothing: Found = { state: 'none', reason: null, detail: null }

/**
 * Checks the files of the project in `folder` twice a second without opening them, and runs a short read when they have
 * changed or the last read failed. Reports each check. The files are not opened while their trace is `avoid`.
 */
export function createProjectWatch(
  folder: string,
  avoid: string | null,
  send: (message: FromReader) => Promise<void>,
) {
  const file = databaseOf(folder)
  let files: ProjectFiles | null = null
  let identity = ''
  let trace = ''
  let refusal: Problem | null = null
  let mayHaveChanged = false
  let found = nothing
  // Greater than any value from an earlier process of the same server.
  let revision = Date.now()

  const report = (): void => {
    const changedAt = files === null ? null : changedAtOf(files)
    const size = files === null ? null : sizeOf(files)
    const checkedAt = new Date().toISOString()
    void send({ type: 'watched', project: { folder, ...found, revision, changedAt, size, checkedAt } })
  }

  /** Sent before anything is opened, because opening may crash this process. */
  const reportTrace = (next: string): void => {
    if (next === trace) return
    trace = next
    refusal =
      trace === avoid ? problemOf('crashed', 'the same files crashed the reading process before') : null
    void send({ type: 'opening', trace })
  }

  /** Whether the files have changed since the last check. */
  const check = (): boolean => {
    const now = Date.now()
    let seen: string
    try {
      files = statProjectFiles(file)
      seen = identityOf(files)
    } catch (error) {
      files = null
      seen = String(error)
    }
    reportTrace(files === null ? seen : traceOf(files))
    const hasChanged = seen !== identity || mayHaveChanged
    mayHaveChanged = files !== null && isFresh(files, now)
    identity = seen
    return hasChanged
  }

  const setFound = (attempt: Attempt<unknown>): void => {
    found = 'reason' in attempt ? attempt : { ...nothing, state: attempt.state }
  }

  const poll = (): void => {
    const hasChanged = check()
    if (hasChanged) revision += 1
    // One short read to see whether the database can be read at all.
    if (hasChanged || found.reason !== null)
      setFound(refusal ?? readProject(file, (database) => database.columnsOf('agents')))
    report()
  }

  poll()
  setInterval(poll, pollEveryMs)

  return {
    /** Path of the project's database. */
    file,
    /** Why the file must not be opened now; null if it may. */
    get refusal() {
      return refusal
    },

    /** Records what a read has found out about the file. */
    note(attempt: Attempt<unknown>): void {
      const { state, reason } = found
      setFound(attempt)
      if (found.state === state && found.reason === reason) return
      // A read noticed the change before the next check did.
      if (check()) revision += 1
      report()
    },
  }
}

export type ProjectWatch = ReturnType<typeof createProjectWatch>
