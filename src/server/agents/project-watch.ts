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
/** Milliseconds after which an unchanged state is reported again. */
const reportEveryMs = 1000

type Found = Pick<WatchedProject, 'state' | 'reason' | 'detail'>
const nothing: Found = { state: 'none', reason: null, detail: null }

/**
 * Checks the files of the chosen project twice a second without opening them, and runs a short read when they have
 * changed or the last read failed. Reports changes.
 */
export function createProjectWatch(send: (message: FromReader) => Promise<void>) {
  let folder: string | null = null
  let file: string | null = null
  let files: ProjectFiles | null = null
  let identity = ''
  let trace = ''
  let refusal: Problem | null = null
  let avoidedTrace: string | null = null
  let mayHaveChanged = false
  let found = nothing
  // Greater than any value from an earlier process of the same server.
  let revision = Date.now()
  let timer: NodeJS.Timeout | undefined
  let reported = ''
  let reportedAt = 0

  const report = (): void => {
    const project = {
      folder,
      file,
      ...found,
      revision,
      changedAt: files === null ? null : changedAtOf(files),
      size: files === null ? null : sizeOf(files),
    }
    const text = JSON.stringify(project)
    const now = Date.now()
    if (text === reported && now - reportedAt < reportEveryMs) return
    reported = text
    reportedAt = now
    void send({ type: 'watched', project: { ...project, checkedAt: new Date().toISOString() } })
  }

  /** Sent before anything is opened, because opening may crash this process. */
  const reportTrace = (next: string): void => {
    if (next === trace) return
    trace = next
    refusal =
      trace === avoidedTrace
        ? problemOf('crashed', 'the same files crashed the reading process before')
        : null
    void send({ type: 'opening', trace })
  }

  /** Whether the files have changed since the last check. */
  const check = (at: string): boolean => {
    const now = Date.now()
    let seen: string
    try {
      files = statProjectFiles(at)
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
    if (file === null) return
    if (check(file)) revision += 1
    // Nothing but the time of the check has changed.
    else if (found.reason === null) return report()
    // One short read to see whether the database can be read at all.
    setFound(refusal ?? readProject(file, (database) => database.columnsOf('agents')))
    report()
  }

  return {
    /** Path of the chosen project's database; null if no project is chosen. */
    get file() {
      return file
    },
    get revision() {
      return revision
    },
    /** Why the file must not be opened now; null if it may. */
    get refusal() {
      return refusal
    },

    /** Follows this project. Its files are not opened while their trace is `avoid`. */
    choose(next: string, avoid: string | null): void {
      clearInterval(timer)
      folder = next
      file = databaseOf(next)
      avoidedTrace = avoid
      files = null
      identity = ''
      trace = ''
      revision += 1
      found = nothing
      poll()
      timer = setInterval(poll, pollEveryMs)
    },

    /** Records what a read has found out about the file. */
    note(attempt: Attempt<unknown>): void {
      if (file === null) return
      const former = found.state
      setFound(attempt)
      // A read noticed the change before the next check did.
      if (found.state !== former && check(file)) revision += 1
      report()
    },
  }
}

export type ProjectWatch = ReturnType<typeof createProjectWatch>
