import type { Delivery, Webhook } from '../../../shared/contracts/desk-webhooks.ts'
import type { NotificationEvent } from '../../../shared/contracts/notifications.ts'
import { repository } from '../../db/repository.ts'

/** A webhook with its encrypted secret. */
export interface WebhookRow extends Pick<Webhook, 'id' | 'url' | 'events' | 'createdAt' | 'disabledAt'> {
  secret: string
}

type StoredRow = Omit<WebhookRow, 'events'> & { events: string }

const columns = 'id, url, events, secret, created_at AS createdAt, disabled_at AS disabledAt'

/** All SQL about webhooks. */
export const webhookRepository = repository((sql) => {
  const find = sql.find<[number], StoredRow>(`SELECT ${columns} FROM webhooks WHERE id = ?`)
  const list = sql.list<[], StoredRow>(`SELECT ${columns} FROM webhooks ORDER BY id`)
  const insert = sql.insert<[Omit<StoredRow, 'id'>]>(`
    INSERT INTO webhooks (url, events, secret, created_at, disabled_at)
    VALUES (@url, @events, @secret, @createdAt, @disabledAt)`)
  const update = sql.run<[Omit<StoredRow, 'createdAt'>]>(
    'UPDATE webhooks SET url = @url, events = @events, secret = @secret, disabled_at = @disabledAt WHERE id = @id',
  )

  const read = (row: StoredRow): WebhookRow => ({
    ...row,
    events: row.events.split(',') as NotificationEvent[],
  })
  const write = <Row extends { events: readonly string[] }>(row: Row) => ({
    ...row,
    events: row.events.join(','),
  })

  return {
    find(id: number): WebhookRow | null {
      const row = find(id)
      return row === null ? null : read(row)
    },
    list: (): WebhookRow[] => list().map(read),
    /** Returns the id. */
    insert: (webhook: Omit<WebhookRow, 'id'>): number => insert(write(webhook)),
    update: ({ createdAt: _createdAt, ...row }: WebhookRow): void => update(write(row)),
    remove: sql.run<[id: number]>('DELETE FROM webhooks WHERE id = ?'),
    findLastStatus: sql.findValue<[recipient: string], Delivery['status']>(
      "SELECT status FROM deliveries WHERE recipient = ? AND status <> 'pending' ORDER BY id DESC LIMIT 1",
    ),
  }
})
