import type { NotificationEvent } from '../../../shared/contracts/notifications.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { repository } from '../../db/repository.ts'

/** A person's address and the events that they chose. */
export interface MailSubscription {
  personId: number
  address: string
  events: NotificationEvent[]
  verifiedAt: string | null
  /** Encrypted; null once the address is verified. */
  code: string | null
  codeExpiresAt: string | null
  /** Wrong codes entered. */
  wrongCodes: number
}

/** A person to whom a message is about to be sent. */
interface MailReceiver extends Pick<MailSubscription, 'address' | 'verifiedAt'> {
  role: Role
}

type StoredRow = Omit<MailSubscription, 'events'> & { events: string }

/** All SQL about e-mail notifications. */
export const mailRepository = repository((sql) => {
  const find = sql.find<[number], StoredRow>(`
    SELECT person_id AS personId, address, events, verified_at AS verifiedAt, code,
      code_expires_at AS codeExpiresAt, wrong_codes AS wrongCodes
    FROM mail_subscriptions WHERE person_id = ?`)
  const insert = sql.run<[StoredRow]>(`
    INSERT INTO mail_subscriptions (person_id, address, events, verified_at, code, code_expires_at, wrong_codes)
    VALUES (@personId, @address, @events, @verifiedAt, @code, @codeExpiresAt, @wrongCodes)`)
  const update = sql.change<[StoredRow]>(`
    UPDATE mail_subscriptions SET address = @address, events = @events, verified_at = @verifiedAt, code = @code,
      code_expires_at = @codeExpiresAt, wrong_codes = @wrongCodes
    WHERE person_id = @personId`)

  const write = (row: MailSubscription): StoredRow => ({ ...row, events: row.events.join(',') })

  return {
    find(personId: number): MailSubscription | null {
      const row = find(personId)
      if (row === null) return null
      return { ...row, events: row.events.split(',').filter(Boolean) as NotificationEvent[] }
    },
    save(subscription: MailSubscription): void {
      if (update(write(subscription)) === 0) insert(write(subscription))
    },
    /** Null for a person without an address. */
    findReceiver: sql.find<[personId: number], MailReceiver>(`
      SELECT m.address, m.verified_at AS verifiedAt, p.role
      FROM mail_subscriptions m JOIN people p ON p.id = m.person_id WHERE m.person_id = ?`),
    remove: sql.run<[personId: number]>('DELETE FROM mail_subscriptions WHERE person_id = ?'),
    /** People with a verified address who chose the event. */
    listSubscribers: sql.list<[event: NotificationEvent], { personId: number; role: Role }>(`
      SELECT m.person_id AS personId, p.role FROM mail_subscriptions m JOIN people p ON p.id = m.person_id
      WHERE m.verified_at IS NOT NULL AND p.removed_at IS NULL AND (',' || m.events || ',') LIKE '%,' || ? || ',%'`),
    /** Codes that a person was sent after this time. */
    countCodes: sql.count<[recipient: string, after: string]>(
      "SELECT count(*) FROM deliveries WHERE recipient = ? AND event = 'mail.verify' AND created_at > ?",
    ),
  }
})
