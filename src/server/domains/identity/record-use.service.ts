import type { Database } from '../../db/database.ts'
import { useUpdateMs } from './sessions.rules.ts'

/**
 * Records the last use of tokens or sessions, at most once a minute each, without delaying or failing the request.
 * `record` is called inside a transaction.
 */
export function createUseRecorder(database: Database) {
  const recording = new Set<string | number>()
  return (id: string | number, lastUsedAt: string | null, record: (now: Date) => void): void => {
    const now = new Date()
    // A negative age means that the clock was ahead; recording the use also corrects a session's expiry.
    const age = lastUsedAt === null ? useUpdateMs : now.getTime() - Date.parse(lastUsedAt)
    if ((age >= 0 && age < useUpdateMs) || recording.has(id)) return
    recording.add(id)
    void database
      .transact(() => record(now))
      .catch(() => {})
      .finally(() => recording.delete(id))
  }
}
