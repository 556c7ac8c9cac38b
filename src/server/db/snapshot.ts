import { openForReading } from './open.ts'

/** Pages of 16 KiB to copy before the event loop continues. */
const pagesAtOnce = 512

/**
 * Copies a snapshot of the database to the new file `target` with SQLite's online backup. Other processes may keep
 * writing: the open read transaction keeps the snapshot, without which each of their commits would restart the copy.
 */
export async function snapshotDatabase(
  path: string,
  target: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const connection = openForReading(path, 10_000)
  try {
    connection.exec('BEGIN')
    connection.pragma('user_version')
    await connection.backup(target, {
      progress({ totalPages, remainingPages }) {
        onProgress(totalPages - remainingPages, totalPages)
        return pagesAtOnce
      },
    })
    connection.exec('COMMIT')
  } finally {
    connection.close()
  }
}
