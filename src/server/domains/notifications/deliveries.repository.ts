import type { MailDelivery } from '../../../shared/contracts/desk-notifications.ts'
import type { Delivery } from '../../../shared/contracts/desk-webhooks.ts'
import type { Connection } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

/** A message to one recipient, such as `webhook/3`. */
export interface QueuedMessage {
  recipient: string
  messageId: string
  event: Delivery['event']
  body: string
  createdAt: string
}

export interface DueDelivery extends QueuedMessage {
  id: number
  attempts: number
}

/** The outcome of an attempt. Without `nextAt`, it was the last one. */
export interface AttemptRecord extends Pick<Delivery, 'status' | 'answerStatus' | 'problem' | 'nextAt'> {
  attemptedAt: string
  durationMs: number
}

/** All SQL about the queue and the log of deliveries. */
export const deliveryRepository = preparedOnce((connection: Connection) => {
  const insert = connection.prepare<[QueuedMessage & Pick<Delivery, 'status' | 'problem' | 'nextAt'>]>(`
    INSERT INTO deliveries (recipient, message_id, event, body, created_at, status, problem, next_at)
    VALUES (@recipient, @messageId, @event, @body, @createdAt, @status, @problem, @nextAt)`)
  const countPending = connection
    .prepare<[string], number>("SELECT count(*) FROM deliveries WHERE recipient = ? AND status = 'pending'")
    .pluck()
  const countAllPending = connection
    .prepare<[], number>('SELECT count(*) FROM deliveries WHERE next_at IS NOT NULL')
    .pluck()
  const listDue = connection.prepare<[string], DueDelivery>(`
    SELECT min(id) AS id, recipient, message_id AS messageId, event, body, created_at AS createdAt, attempts
    FROM deliveries WHERE next_at <= ? GROUP BY recipient ORDER BY id`)
  const next = connection
    .prepare<[string], string | null>('SELECT min(next_at) FROM deliveries WHERE next_at > ?')
    .pluck()
  const record = connection.prepare<[AttemptRecord & { id: number }]>(`
    UPDATE deliveries SET status = @status, attempts = attempts + 1, attempted_at = @attemptedAt,
      duration_ms = @durationMs, answer_status = @answerStatus, problem = @problem, next_at = @nextAt
    WHERE id = @id AND status = 'pending'`)
  const cancel = connection.prepare<[string, string]>(
    `UPDATE deliveries SET status = 'failed', problem = ?, next_at = NULL
     WHERE recipient = ? AND status = 'pending'`,
  )
  const list = connection.prepare<[string, number], Delivery>(`
    SELECT id, message_id AS messageId, event, status, created_at AS createdAt, attempts,
      attempted_at AS attemptedAt, duration_ms AS durationMs, answer_status AS answerStatus, problem,
      next_at AS nextAt
    FROM deliveries WHERE recipient = ? ORDER BY id DESC LIMIT ?`)
  const listOfPeople = connection.prepare<[number], MailDelivery>(`
    SELECT d.id, d.message_id AS messageId, d.event, d.status, d.created_at AS createdAt, d.attempts,
      d.attempted_at AS attemptedAt, d.duration_ms AS durationMs, d.answer_status AS answerStatus, d.problem,
      d.next_at AS nextAt, coalesce(p.name, p.subject) AS person
    FROM deliveries d JOIN people p ON d.recipient = 'person/' || p.id
    WHERE d.recipient >= 'person/' AND d.recipient < 'person0' ORDER BY d.id DESC LIMIT ?`)
  const trim = connection.prepare<[{ recipient: string; keep: number }]>(`
    DELETE FROM deliveries WHERE recipient = @recipient AND status <> 'pending' AND id <= (
      SELECT id FROM deliveries WHERE recipient = @recipient AND status <> 'pending'
      ORDER BY id DESC LIMIT 1 OFFSET @keep)`)
  const purge = connection.prepare<[string]>(
    "DELETE FROM deliveries WHERE status <> 'pending' AND created_at < ?",
  )
  const remove = connection.prepare<[string]>('DELETE FROM deliveries WHERE recipient = ?')

  return {
    insert: (message: Parameters<typeof insert.run>[0]) => void insert.run(message),
    countPending: (recipient: string) => countPending.get(recipient) ?? 0,
    countAllPending: () => countAllPending.get() ?? 0,
    /** The first delivery of each recipient that is due. */
    listDue: (now: string) => listDue.all(now),
    /** When the next delivery that is not due yet will be. */
    findNextTime: (now: string) => next.get(now) ?? null,
    /** Changes nothing if the delivery has been cancelled. */
    record: (id: number, attempt: AttemptRecord) => void record.run({ id, ...attempt }),
    cancelPending: (recipient: string, problem: string) => void cancel.run(problem, recipient),
    /** Newest first. */
    list: (recipient: string, limit: number) => list.all(recipient, limit),
    /** Those of all people, newest first. */
    listOfPeople: (limit: number) => listOfPeople.all(limit),
    /** Removes all finished deliveries of a recipient except the newest `keep`. */
    trim: (recipient: string, keep: number) => void trim.run({ recipient, keep }),
    /** Removes finished deliveries that were created before. */
    purge: (before: string) => purge.run(before).changes,
    removeOf: (recipient: string) => void remove.run(recipient),
  }
})
