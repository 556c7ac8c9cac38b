import { openForReading } from './open.ts'

/** Pages of 16 KiB that are copied before anything else may run. */
const pagesAtOnce = 512

/**
 * Copies the database, as it is when the copy begins, into the new file `target` with SQLite's online backup.
 * Others may go on writing meanwhile: an open read transaction keeps the copy on its first view, without
 * which each commit of another process would start it all over again.
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
