import type { ProjectState } from '../../shared/contracts/desk-agents-common.ts'
import type { UnreadableReason } from './unreadable.texts.ts'

/** State of the chosen project, known without a query. */
export interface WatchedProject {
  /** The folder; null if none is chosen. */
  folder: string | null
  state: ProjectState
  /** The reason for `busy` and `unreadable`. */
  reason: UnreadableReason | null
  /** The message from SQLite or the system, for the log. */
  detail: string | null
  /** Increases with each noticed change of the database, and when another project is chosen. */
  revision: number
  /** When the database or its log was last written, in ISO 8601; null without a database. */
  changedAt: string | null
  /** Bytes of the database and its log; null without a database. */
  size: number | null
  /** When the files were last checked, in ISO 8601. */
  checkedAt: string
}

/** The result of a query, and the state it was read from. `none`, `missing`: the value is empty. */
export interface Answer<Value> {
  state: 'ready' | 'none' | 'missing'
  changedAt: string | null
  /** When it was read, in ISO 8601. */
  readAt: string
  /** Identity of the files when the read began; null if they may have changed since without a visible difference. */
  identity: string | null
  value: Value
}

/**
 * Why there is no answer. `busy`: the owner locked the database for more than 2 s. `unreadable`: any other problem; see
 * `reason`.
 */
export interface Problem {
  state: 'busy' | 'unreadable'
  reason: UnreadableReason
  detail: string
}

export const problemOf = (reason: UnreadableReason, detail: string): Problem => ({
  state: reason === 'locked' ? 'busy' : 'unreadable',
  reason,
  detail,
})

export type Reading<Value> = Answer<Value> | Problem

export const isProblem = (reading: Reading<unknown>): reading is Problem => 'reason' in reading

/** From the server to the reading process. */
export type ToReader =
  /** Sent once, before any query. */
  | {
      type: 'project'
      folder: string
      /** An empty folder for copies and temporary files; the server removes it when the process has exited. */
      scratch: string
      /** Path of the project's mirror, which outlives the process. */
      mirror: string
      /** The trace of files that have crashed this process: they are not opened until it changes. */
      avoid: string | null
    }
  | {
      type: 'read'
      id: number
      query: string
      params: unknown
      /** Identity of the files for which the server still has the answer. */
      known: string | null
    }
  | { type: 'cancel'; id: number }

/** From the reading process to the server. */
export type FromReader =
  | { ready: true }
  /** The files are about to be opened; the trace identifies them if that crashes the process. */
  | { type: 'opening'; trace: string }
  /** Null if the files are still those of the `known` answer. */
  | { type: 'reading'; id: number; reading: Reading<unknown> | null }
  /** The process will not respond for up to this long, because it builds an index. */
  | { type: 'away'; seconds: number }
  /** A query has thrown an error unrelated to the file. */
  | { type: 'failed'; id: number; message: string }
  | { type: 'watched'; project: WatchedProject }
