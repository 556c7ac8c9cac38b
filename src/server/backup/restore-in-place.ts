import { basename } from 'node:path'
import { fromBackup, prepareRestore } from './restore-backup.ts'
import type { PreparedRestore } from './restore-backup.ts'
import type { OnProgress } from './progress.ts'
import { lockForServing } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Database } from '../db/database.ts'
import { holdWrites } from '../db/hold-writes.ts'
import { sessionRepository } from '../domains/identity/sessions.repository.ts'
import { Refusal } from '../data-folder/refusal.ts'

interface RestoreParts {
  file: string
  paths: DataPaths
  database: Database
  /** Stops the services and closes the database. */
  stop(): Promise<void>
  onProgress: OnProgress
}

/**
 * Replaces a registry without people with a backup. The complete backup is checked first, while the services keep
 * running; if it throws a Refusal, nothing has changed. Afterwards the services are stopped.
 */
export async function restoreInPlace(parts: RestoreParts): Promise<void> {
  const { paths, database, stop } = parts
  const repository = sessionRepository(database.reader)
  const assertNoPeople = (): void => {
    database.assertWritable()
    if (!repository.hasPeople()) return
    throw new Refusal(
      'This registry already has people, and a restore never changes existing data. Choose an empty data folder first.',
    )
  }
  assertNoPeople()
  const prepared = await prepare(parts)
  try {
    // Requests in progress are answered during the stop, and must not write what is then replaced.
    const releaseWrites = holdWrites(paths.database)
    if (releaseWrites === null) throw inUse(paths)
    try {
      assertNoPeople()
      await stop()
    } finally {
      releaseWrites()
    }
    const lock = lockForServing(paths)
    if (lock === null) throw inUse(paths)
    try {
      await prepared.putInPlace()
    } finally {
      lock.release()
    }
  } finally {
    prepared.discard()
  }
}

const inUse = ({ folder }: DataPaths): Refusal =>
  new Refusal(`Another Skilldock is now using ${folder}. Stop it and try again.`)

async function prepare({ file, paths, onProgress }: RestoreParts): Promise<PreparedRestore<unknown>> {
  try {
    return await prepareRestore(paths, fromBackup(file, onProgress))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(
      `${basename(file)} cannot be restored (${error.message.replace(/\.$/, '')}). Choose another backup.`,
      { cause: error },
    )
  }
}
