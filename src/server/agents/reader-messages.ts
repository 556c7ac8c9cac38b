import type { UnreadableReason } from './explain-problem.ts'

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

/** From the server to the reading process. */
export type ToReader =
  | {
      type: 'project'
      folder: string
      /** An empty folder for copies and temporary files; removed by the server when the process has ended. */
      scratch: string
      /** Where the mirror of the project is kept, from one process to the next. */
      mirror: string
      /** The trace of files that crashed this process before: they are not opened until it is another one. */
      avoid: string | null
    }
  | {
      type: 'read'
      id: number
      query: string
      params: unknown
      /** The identity of the files whose answer the server still has. */
      known: string | null
    }
  | { type: 'cancel'; id: number }

/** From the reading process to the server. */
export type FromReader =
  | { ready: true }
  /** The files are about to be opened; their trace tells whether they are the same ones the next time. */
  | { type: 'opening'; trace: string }
  | { type: 'answer'; id: number; state: ProjectState; answer: Answer<unknown> }
  /** The files are still those of the `known` answer. */
  | { type: 'unchanged'; id: number }
  | { type: 'problem'; id: number; problem: Problem }
  /** Nothing will be heard of the process for so long, at most: it makes an index. */
  | { type: 'away'; seconds: number }
  /** A query has thrown something that is not about the file. */
  | { type: 'failed'; id: number; message: string }
  | { type: 'watched'; project: WatchedProject }
