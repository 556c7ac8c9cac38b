import type { AlertKind } from '../../../shared/contracts/desk-agents-common.ts'
import type { Database } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

export interface StoredAlert {
  id: number
  folder: string
  kind: AlertKind
  key: string
  since: string
  firstSeenAt: string
  toldAt: string | null
  seenAt: string | null
  seenRows: number | null
}

/** All SQL about alerts of agent projects. */
export const agentAlertRepository = preparedOnce(
  ({ reader, writer }: Pick<Database, 'reader' | 'writer'>) => {
    const listOpen = reader.prepare<[string], StoredAlert>(
      `SELECT id, folder, kind, key, since, first_seen_at AS firstSeenAt, told_at AS toldAt, seen_at AS seenAt,
         seen_rows AS seenRows
       FROM agent_alerts WHERE folder = ? AND ended_at IS NULL`,
    )
    const write = <Values extends unknown[]>(sql: string): ((...values: Values) => void) => {
      const statement = writer.prepare<Values>(sql)
      return (...values) => void statement.run(...values)
    }

    return {
      listOpen: (folder: string) => listOpen.all(folder),
      insert: write<[folder: string, kind: AlertKind, key: string, since: string, firstSeenAt: string]>(
        `INSERT INTO agent_alerts (folder, kind, key, since, first_seen_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
      ),
      end: write<[at: string, id: number]>('UPDATE agent_alerts SET ended_at = ? WHERE id = ?'),
      markNotified: write<[at: string, id: number]>('UPDATE agent_alerts SET told_at = ? WHERE id = ?'),
      acknowledge: write<[at: string, by: number, rows: number, id: number]>(
        'UPDATE agent_alerts SET seen_at = ?, seen_by = ?, seen_rows = ? WHERE id = ? AND ended_at IS NULL',
      ),
      /** Makes the alert new again: not acknowledged, and without a notification. */
      reopen: write<[id: number]>(
        'UPDATE agent_alerts SET seen_at = NULL, seen_by = NULL, seen_rows = NULL, told_at = NULL WHERE id = ?',
      ),
      /** Deletes alerts that ended before this time. */
      forgetEnded: write<[before: string]>('DELETE FROM agent_alerts WHERE ended_at < ?'),
    }
  },
)
