import { basename } from 'node:path'
import { prepareRestore } from './restore-backup.ts'
import type { PreparedRestore } from './restore-backup.ts'
import type { OnProgress } from './progress.ts'
import { lockForServing } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Database } from '../db/database.ts'
import { sessionRepository } from '../domains/identity/sessions.repository.ts'
import { Refusal } from '../data-folder/refusal.ts'

export interface RestoreParts {
  file: string
  paths: DataPaths
  database: Database
  /** Stops the services and closes the database. */
  stop(): Promise<void>
  onProgress: OnProgress
}

/**
 * Puts a backup in the place of a registry that nobody is known to. All of the backup is read and checked first,
 * while the services run on; throws a Refusal, and then nothing has changed. After it they have stopped.
 */
export async function restoreInPlace(parts: RestoreParts): Promise<void> {
  const { paths, database, stop } = parts
  const repository = sessionRepository(database.reader)
  const assertNobody = (): void => {
    database.assertWritable()
    if (!repository.hasPeople()) return
    throw new Refusal(
      'Somebody is known to this registry already, and a restore never touches what is there. Choose an empty data ' +
        'folder first.',
    )
  }
  assertNobody()
  const prepared = await prepare(parts)
  try {
    assertNobody()
    await stop()
    const lock = lockForServing(paths)
    if (lock === null) throw new Refusal(`Another Skilldock is at work in ${paths.folder} now.`)
    try {
      await prepared.putInPlace()
    } finally {
      lock.release()
    }
  } finally {
    prepared.discard()
  }
}

async function prepare({ file, paths, onProgress }: RestoreParts): Promise<PreparedRestore> {
  try {
    return await prepareRestore(file, paths, onProgress)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(
      `${basename(file)} cannot be restored (${error.message.replace(/\.$/, '')}). Choose another backup.`,
      { cause: error },
    )
  }
}
