import type Sqlite from 'better-sqlite3'
import { auditedTables, loggedTables } from './logged-tables.ts'

/** The rows of logged and audited tables that a connection has changed. */
interface ChangedRows {
  /** Their subjects, in the order of their first changes. */
  take(): string[]
}

/**
 * Notes the changes of logged tables by triggers of this connection only: changes that other programs make to the
 * database are not logged, so `skilldock verify` finds them.
 */
export function watchChanges(connection: Sqlite.Database): ChangedRows {
  const subjects = new Set<string>()
  connection.function('note_change', (subject: unknown) => {
    subjects.add(String(subject))
    return null
  })
  for (const { name, key, updates, mayExpire } of [...loggedTables, ...auditedTables]) {
    const note = (event: string, row: string): string => {
      const trigger = `logged_${name}_${event.slice(0, 6).toLowerCase()}`
      return `CREATE TEMP TRIGGER ${trigger} AFTER ${event} ON main.${name}
        BEGIN SELECT note_change('${name}/' || ${row}.${key}); END;`
    }
    connection.exec(note('INSERT', 'new'))
    if (updates.length > 0) connection.exec(note(`UPDATE OF ${updates.join(', ')}`, 'new'))
    if (mayExpire === undefined) connection.exec(note('DELETE', 'old'))
  }
  return {
    take() {
      const taken = [...subjects]
      subjects.clear()
      return taken
    },
  }
}
