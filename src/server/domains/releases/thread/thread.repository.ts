import type { Message } from '../../../../shared/contracts/thread.ts'
import { repository } from '../../../db/repository.ts'

interface NewMessageRow {
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

interface SummaryRow {
  releaseId: number
  messages: number
  lastKind: Message['kind']
  /** The number of change requests that are not resolved. */
  openRequests: number
}

const columns = `m.id, m.release_id AS releaseId, m.kind, m.author_id AS authorId, m.at, m.text, m.about,
  m.requests_changes AS requestsChanges, p.name AS authorName, p.subject AS authorSubject`

/** All SQL about questions and answers in review. */
export const threadRepository = repository((sql) => ({
  /** Oldest first. */
  list: sql.list<[releaseId: number], MessageRow>(
    `SELECT ${columns} FROM review_messages m JOIN people p ON p.id = m.author_id WHERE m.release_id = ? ORDER BY m.id`,
  ),
  /** Of those releases that have messages. SQLite takes the kind from the row with the maximum. */
  summarize: sql.listIn<number, SummaryRow>(`
      SELECT release_id AS releaseId, count(*) AS messages, max(id), kind AS lastKind,
        sum(requests_changes = 1 AND resolved_at IS NULL) AS openRequests
      FROM review_messages WHERE release_id IN (SELECT value FROM json_each(?)) GROUP BY release_id`),
  count: sql.count<[releaseId: number, kind: Message['kind']]>(
    'SELECT count(*) FROM review_messages WHERE release_id = ? AND kind = ?',
  ),
  /** The times of a person's newest messages after a time, newest first. */
  listTimes: sql.listValues<[authorId: number, after: string, limit: number], string>(
    'SELECT at FROM review_messages WHERE author_id = ? AND at > ? ORDER BY id DESC LIMIT ?',
  ),
  /** Returns its id. */
  insert: sql.insert<[row: NewMessageRow]>(`
      INSERT INTO review_messages (release_id, kind, author_id, at, text, about, requests_changes)
      VALUES (@releaseId, @kind, @authorId, @at, @text, @about, @requestsChanges)`),
  /** Resolves all change requests of a release. */
  resolve: sql.run<[{ releaseId: number; by: number; at: string }]>(`
      UPDATE review_messages SET resolved_by = @by, resolved_at = @at
      WHERE release_id = @releaseId AND requests_changes = 1 AND resolved_at IS NULL`),
}))
