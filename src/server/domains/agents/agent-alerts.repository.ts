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
    const columns = `id, folder, kind, key, since, first_seen_at AS firstSeenAt, told_at AS toldAt, seen_at AS seenAt,
    seen_rows AS seenRows`
    const listOpen = reader.prepare<[string], StoredAlert>(
      `SELECT ${columns} FROM agent_alerts WHERE folder = ? AND ended_at IS NULL`,
    )
    const insert = writer.prepare<[string, AlertKind, string, string, string]>(
      `INSERT INTO agent_alerts (folder, kind, key, since, first_seen_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    )
    const end = writer.prepare<[string, number]>('UPDATE agent_alerts SET ended_at = ? WHERE id = ?')
    const tell = writer.prepare<[string, number]>('UPDATE agent_alerts SET told_at = ? WHERE id = ?')
    const see = writer.prepare<[string, number, number, number]>(
      'UPDATE agent_alerts SET seen_at = ?, seen_by = ?, seen_rows = ? WHERE id = ? AND ended_at IS NULL',
    )
    const reopen = writer.prepare<[number]>(
      'UPDATE agent_alerts SET seen_at = NULL, seen_by = NULL, seen_rows = NULL, told_at = NULL WHERE id = ?',
    )
    const forget = writer.prepare<[string]>('DELETE FROM agent_alerts WHERE ended_at < ?')

    return {
      listOpen: (folder: string) => listOpen.all(folder),
      insert: (alert: Pick<StoredAlert, 'folder' | 'kind' | 'key' | 'since' | 'firstSeenAt'>) =>
        insert.run(alert.folder, alert.kind, alert.key, alert.since, alert.firstSeenAt),
      end: (id: number, at: string) => end.run(at, id),
      tell: (id: number, at: string) => tell.run(at, id),
      see: (id: number, seen: { at: string; by: number; rows: number }) =>
        see.run(seen.at, seen.by, seen.rows, id),
      /** It is as if nobody had seen or heard of it. */
      reopen: (id: number) => reopen.run(id),
      /** Removes alerts that ended before. */
      forgetEnded: (before: string) => forget.run(before),
    }
  },
)
