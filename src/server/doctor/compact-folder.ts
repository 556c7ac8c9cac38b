import { statSync } from 'node:fs'
import { moveFile } from '../../files/durable-files.ts'
import { FolderInUseError, lockForServing } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { compactInto, removeCopy } from '../db/compact.ts'
import { acquireFileLock } from '../db/file-lock.ts'
import { doctorTexts } from './doctor.texts.ts'

const { compact: texts } = doctorTexts

/**
 * Replaces the database with a checked copy that has no unused pages. A crash at any time leaves the old or the new
 * one. Throws FolderInUseError while a server is running, and a Refusal if the copy can't replace the database.
 */
export async function compactFolder(paths: DataPaths): Promise<{ before: number; after: number }> {
  const lock = lockForServing(paths)
  if (lock === null) throw new FolderInUseError(texts.inUse(paths.folder))
  // Commands that write take it before they open the database.
  const initialization = acquireFileLock(paths.initializationLock, 1000)
  const target = `${paths.database}.compact`
  try {
    if (initialization === null) throw new Refusal(texts.open)
    const before = statSync(paths.database).size
    const { result } = compactInto(paths.database, target)
    if (result === 'open') throw new Refusal(texts.open)
    if (result !== 'done') throw new Refusal(texts.wrongCopy(result.differs))
    await moveFile(target, paths.database)
    return { before, after: statSync(paths.database).size }
  } finally {
    removeCopy(target)
    initialization?.release()
    lock.release()
  }
}
