import type { SettingChanges } from '../../../shared/contracts/desk-settings.ts'
import type { Database } from '../../db/database.ts'
import { auditLog } from '../../db/log/audit-log.ts'

/** Writes changed settings to their file and the change to the transparency log and the audit log, or neither if either fails. */
export function recordSettings(
  database: Database,
  changes: SettingChanges,
  write: () => void,
): Promise<void> {
  return database.transact(() => {
    const row = Object.fromEntries(
      Object.entries(changes).map(([key, value]) => [key, value === null ? null : JSON.stringify(value)]),
    )
    auditLog(database.writer).recordEvent('settings', row, 'settings.changed')
    write()
  })
}
