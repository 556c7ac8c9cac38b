import { changedAtOf, databaseOf, identityOf, isFresh, lookAtFiles, sizeOf } from './project-files.ts'
import type { ProjectFiles } from './project-files.ts'
import { readProject } from './read-project.ts'
import type { Attempt } from './read-project.ts'
import type { Problem, ProjectState, WatchedProject } from './worker-messages.ts'

const lookEveryMs = 500
/** Milliseconds after which it is told that nothing has changed. */
const tellEveryMs = 1000

type Found = 'ready' | 'missing' | Problem

export interface ProjectWatch {
  /** The path of the chosen project's database; null where no project is chosen. */
  readonly file: string | null
  readonly revision: number
  choose(folder: string | null): void
  /** What a read has found out about the file. */
  note(found: Found): void
  end(): void
}

/**
 * Looks at the files of the chosen project twice a second, without opening them, and reads shortly when they have changed or
 * when the last read went wrong. Tells what is new.
 */
export function createProjectWatch(tell: (project: WatchedProject) => void): ProjectWatch {
  let folder: string | null = null
  let file: string | null = null
  let files: ProjectFiles | null = null
  let identity = ''
  let mayHaveChanged = false
  let state: ProjectState = 'none'
  let problem: Problem | null = null
  // Greater than any that an earlier worker of the same services has given.
  let revision = Date.now()
  let timer: NodeJS.Timeout | undefined
  let told = ''
  let toldAt = 0

  const report = (): void => {
    const project = {
      folder,
      file,
      state,
      reason: problem?.reason ?? null,
      detail: problem?.detail ?? null,
      revision,
      changedAt: files === null ? null : changedAtOf(files),
      size: files === null ? null : sizeOf(files),
    }
    const text = JSON.stringify(project)
    const now = Date.now()
    if (text === told && now - toldAt < tellEveryMs) return
    told = text
    toldAt = now
    tell({ ...project, lookedAt: new Date().toISOString() })
  }

  /** Whether the files are others than at the last look. */
  const look = (at: string): boolean => {
    const now = Date.now()
    let seen: string
    try {
      files = lookAtFiles(at)
      seen = identityOf(files)
    } catch (error) {
      files = null
      seen = String(error)
    }
    const hasChanged = seen !== identity || mayHaveChanged
    mayHaveChanged = files !== null && isFresh(files, now)
    identity = seen
    return hasChanged
  }

  const become = (found: Found): void => {
    state = typeof found === 'string' ? found : found.state
    problem = typeof found === 'string' ? null : found
  }

  const poll = (): void => {
    if (file === null) return
    if (look(file)) revision += 1
    // Nothing is new but the time of the look.
    else if (state !== 'busy' && state !== 'unreadable') return report()
    become(probe(file))
    report()
  }

  return {
    get file() {
      return file
    },
    get revision() {
      return revision
    },

    choose(next) {
      clearInterval(timer)
      folder = next
      file = next === null ? null : databaseOf(next)
      files = null
      identity = ''
      revision += 1
      state = 'none'
      problem = null
      if (file === null) {
        report()
        return
      }
      poll()
      timer = setInterval(poll, lookEveryMs)
    },

    note(found) {
      if (file === null) return
      const former = state
      become(found)
      // A read has met what the next look would have found.
      if (state !== former && look(file)) revision += 1
      report()
    },

    end: () => clearInterval(timer),
  }
}

/** One short read: whether the database can be read at all. */
function probe(file: string): Found {
  const attempt = readProject(file, (database) => database.columnsOf('agents'))
  if (attempt.kind === 'value') return 'ready'
  return attempt.kind === 'missing' ? 'missing' : asProblem(attempt)
}

/** An attempt that came to nothing because its owner is at work is one that found the file held. */
export function asProblem(attempt: Extract<Attempt<unknown>, { kind: 'again' | 'problem' }>): Problem {
  if (attempt.kind === 'again')
    return { state: 'busy', reason: 'locked', detail: 'the files change all the time' }
  const { reason, message: detail } = attempt
  return reason === 'locked' ? { state: 'busy', reason, detail } : { state: 'unreadable', reason, detail }
}
