import type { Message } from '../../../../shared/contracts/thread.ts'
import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'

export interface NewMessageRow {
  releaseId: number
  kind: Message['kind']
  authorId: number
  at: string
  text: string
  /** `MessageAbout` as JSON. */
  about: string | null
  /** 0 or 1. */
  requestsChanges: number
}

export interface MessageRow extends NewMessageRow {
  id: number
  authorName: string | null
  authorSubject: string
}

export interface SummaryRow {
  releaseId: number
  messages: number
  lastKind: Message['kind']
  /** The number of change requests that are not resolved. */
  openRequests: number
}

const columns = `m.id, m.release_id AS releaseId, m.kind, m.author_id AS authorId, m.at, m.text, m.about,
  m.requests_changes AS requestsChanges, p.name AS authorName, p.subject AS authorSubject`

/** All SQL about questions and answers in review. */
export const threadRepository = preparedOnce((connection: Connection) => {
  const list = connection.prepare<[number], MessageRow>(
    `SELECT ${columns} FROM review_messages m JOIN people p ON p.id = m.author_id WHERE m.release_id = ? ORDER BY m.id`,
  )
  // SQLite takes the bare column from the row with the maximum.
  const summarize = connection.prepare<[string], SummaryRow>(
    `SELECT release_id AS releaseId, count(*) AS messages, max(id), kind AS lastKind,
       sum(requests_changes = 1 AND resolved_at IS NULL) AS openRequests
     FROM review_messages WHERE release_id IN (SELECT value FROM json_each(?)) GROUP BY release_id`,
  )
  const count = connection
    .prepare<[number, string], number>(
      'SELECT count(*) FROM review_messages WHERE release_id = ? AND kind = ?',
    )
    .pluck()
  const findTime = connection
    .prepare<[number, number], string>(
      'SELECT at FROM review_messages WHERE author_id = ? ORDER BY at DESC LIMIT 1 OFFSET ?',
    )
    .pluck()
  const insert = connection.prepare<[NewMessageRow]>(
    `INSERT INTO review_messages (release_id, kind, author_id, at, text, about, requests_changes)
     VALUES (@releaseId, @kind, @authorId, @at, @text, @about, @requestsChanges)`,
  )
  const resolve = connection.prepare<[number, string, number]>(
    `UPDATE review_messages SET resolved_by = ?, resolved_at = ?
     WHERE release_id = ? AND requests_changes = 1 AND resolved_at IS NULL`,
  )

  return {
    /** Oldest first. */
    list: (releaseId: number) => list.all(releaseId),
    /** Of those releases that have messages. */
    summarize: (releaseIds: readonly number[]) => summarize.all(JSON.stringify(releaseIds)),
    count: (releaseId: number, kind: Message['kind']) => count.get(releaseId, kind) ?? 0,
    /** The time of a person's message number `back` before the newest (0 is the newest). */
    findTime: (authorId: number, back: number) => findTime.get(authorId, back) ?? null,
    /** Returns its id. */
    insert: (row: NewMessageRow) => Number(insert.run(row).lastInsertRowid),
    /** Resolves all change requests of a release. */
    resolve: (releaseId: number, by: number, at: string) => resolve.run(by, at, releaseId),
  }
})
