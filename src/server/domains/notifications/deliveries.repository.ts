import type { MailDelivery } from '../../../shared/contracts/desk-notifications.ts'
import type { Delivery } from '../../../shared/contracts/desk-webhooks.ts'
import { repository } from '../../db/repository.ts'

/** A message to one recipient, such as `webhook/3`. */
interface QueuedMessage {
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
interface AttemptRecord extends Pick<Delivery, 'id' | 'status' | 'answerStatus' | 'problem' | 'nextAt'> {
  attemptedAt: string
  durationMs: number
}

/** All SQL about the queue and the log of deliveries. */
export const deliveryRepository = repository((sql) => ({
  insert: sql.run<[message: QueuedMessage & Pick<Delivery, 'status' | 'problem' | 'nextAt'>]>(`
    INSERT INTO deliveries (recipient, message_id, event, body, created_at, status, problem, next_at)
    VALUES (@recipient, @messageId, @event, @body, @createdAt, @status, @problem, @nextAt)`),
  countPending: sql.count<[recipient: string]>(
    "SELECT count(*) FROM deliveries WHERE recipient = ? AND status = 'pending'",
  ),
  countAllPending: sql.count<[]>('SELECT count(*) FROM deliveries WHERE next_at IS NOT NULL'),
  /** The first delivery of each recipient that is due at `now`, or was planned for a time after `latest`. */
  listDue: sql.list<[{ now: string; latest: string }], DueDelivery>(`
      SELECT min(id) AS id, recipient, message_id AS messageId, event, body, created_at AS createdAt, attempts
      FROM deliveries WHERE next_at <= @now OR next_at > @latest GROUP BY recipient ORDER BY id`),
  /** When the next delivery that is not due yet will be. */
  findNextTime: sql.findValue<[now: string], string | null>(
    'SELECT min(next_at) FROM deliveries WHERE next_at > ?',
  ),
  /** Changes nothing if the delivery has been cancelled. */
  record: sql.run<[attempt: AttemptRecord]>(`
      UPDATE deliveries SET status = @status, attempts = attempts + 1, attempted_at = @attemptedAt,
        duration_ms = @durationMs, answer_status = @answerStatus, problem = @problem, next_at = @nextAt
      WHERE id = @id AND status = 'pending'`),
  cancelPending: sql.run<[{ recipient: string; problem: string }]>(`
      UPDATE deliveries SET status = 'failed', problem = @problem, next_at = NULL
      WHERE recipient = @recipient AND status = 'pending'`),
  /** Newest first. */
  list: sql.list<[recipient: string, limit: number], Delivery>(`
      SELECT id, message_id AS messageId, event, status, created_at AS createdAt, attempts,
        attempted_at AS attemptedAt, duration_ms AS durationMs, answer_status AS answerStatus, problem,
        next_at AS nextAt
      FROM deliveries WHERE recipient = ? ORDER BY id DESC LIMIT ?`),
  /** Those of all people, newest first. */
  listOfPeople: sql.list<[limit: number], MailDelivery>(`
      SELECT d.id, d.message_id AS messageId, d.event, d.status, d.created_at AS createdAt, d.attempts,
        d.attempted_at AS attemptedAt, d.duration_ms AS durationMs, d.answer_status AS answerStatus, d.problem,
        d.next_at AS nextAt, coalesce(p.name, p.subject) AS person
      FROM deliveries d JOIN people p ON d.recipient = 'person/' || p.id
      WHERE d.recipient >= 'person/' AND d.recipient < 'person0' ORDER BY d.id DESC LIMIT ?`),
  /** Removes all finished deliveries of a recipient except the newest `keep`. */
  trim: sql.run<[{ recipient: string; keep: number }]>(`
      DELETE FROM deliveries WHERE recipient = @recipient AND status <> 'pending' AND id <= (
        SELECT id FROM deliveries WHERE recipient = @recipient AND status <> 'pending'
        ORDER BY id DESC LIMIT 1 OFFSET @keep)`),
  /** Removes finished deliveries that were created before. */
  purge: sql.change<[before: string]>("DELETE FROM deliveries WHERE status <> 'pending' AND created_at < ?"),
  removeOf: sql.run<[recipient: string]>('DELETE FROM deliveries WHERE recipient = ?'),
}))
