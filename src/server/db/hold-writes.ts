import { isBusy } from './database-errors.ts'
import { openConfigured } from './open.ts'

/** Milliseconds for which the thread is blocked while another process writes. */
const waitMs = 2000

/**
 * Prevents all writes to a database, by this and by other processes, until the returned function is called. Null if
 * another process keeps writing.
 */
export function holdWrites(path: string): (() => void) | null {
  const connection = openConfigured(path, { timeoutMs: waitMs })
  try {
    connection.exec('BEGIN IMMEDIATE')
    return () => void connection.close()
  } catch (error) {
    connection.close()
    if (isBusy(error)) return null
    throw error
  }
}
