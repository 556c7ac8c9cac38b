/** What is known of the chosen project without reading its database. */
export interface WatchedProject {
  /** The folder; null where none is chosen. */
  folder: string | null
  /** The path of its database; null where no project is chosen. */
  file: string | null
  state: ProjectState
  /** Why, for `busy` and `unreadable`. */
  reason: UnreadableReason | null
  /** What SQLite or the system said, for the log. */
  detail: string | null
  /** Grows with each change of the database that was noticed, and when another project is chosen. */
  revision: number
  /** When database or log were written last, in ISO 8601; null where there is none. */
  changedAt: string | null
  /** Bytes of database and log together; null where there is none. */
  size: number | null
  /** When the files were looked at last, in ISO 8601. */
  lookedAt: string
}

/** `none`: no project is chosen; `missing`: the chosen one has no database; `busy`: its owner lets nobody read. */
export type ProjectState = 'none' | 'missing' | 'ready' | 'busy' | 'unreadable'

/**
 * `locked`: held by another program; `half-written`: its owner ended in the middle of a write and has to repair it first;
 * `not-allowed`: this user may not read it; `not-a-database`, `corrupt`: what the file holds cannot be read; `failed`: the
 * system could not read it.
 */
export type UnreadableReason =
  | 'locked'
  | 'half-written'
  | 'not-allowed'
  | 'not-a-database'
  | 'corrupt'
  | 'failed'

/** What one query gave, and of when it is. */
export interface Answer<Value> {
  revision: number
  changedAt: string | null
  /** When it was read, in ISO 8601. */
  readAt: string
  /** What the files were when the read began; null where they may have changed since without looking any different. */
  identity: string | null
  value: Value
}

/** Why there is no answer. */
export type Problem =
  | { state: 'busy'; reason: UnreadableReason; detail: string }
  | { state: 'unreadable'; reason: UnreadableReason; detail: string }

export type ToWorker =
  | { type: 'project'; folder: string | null }
  | { type: 'read'; id: number; query: string; params: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'end' }

export type FromWorker =
  | { type: 'answer'; id: number; state: ProjectState; answer: Answer<unknown> }
  | { type: 'problem'; id: number; problem: Problem }
  /** A query has thrown something that is not about the file. */
  | { type: 'failed'; id: number; message: string }
  | { type: 'watched'; project: WatchedProject }
