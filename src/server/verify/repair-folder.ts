import { join } from 'node:path'
import { makeFolder } from '../../files/durable-files.ts'
import { prepareBackup } from '../backup/create-backup.ts'
import type { OnProgress } from '../backup/progress.ts'
import { FolderInUseError, lockForServing } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { openDatabase } from '../db/database.ts'
import type { Database } from '../db/database.ts'
import { snapshotDatabase } from '../db/snapshot.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { OnFound } from './run-checks.ts'
import { checkDatabase } from './database-checks.ts'
import { checkRecords } from './records.check.ts'

interface RepairReport {
  onProgress: OnProgress
  /** Called with the backup file. */
  onBackup(file: string): void
  /** Called with each repaired problem. */
  onRepaired(problem: string): void
}

/**
 * Backs up, then repairs all repairable problems in the database in one transaction, and writes missing or outdated
 * records again.
 * `recheck` checks releases again that have lost their findings. Throws FolderInUseError while a server is running.
 */
export async function repairFolder(
  paths: DataPaths,
  report: RepairReport,
  recheck: (database: Database) => Promise<void>,
): Promise<void> {
  const lock = lockForServing(paths)
  if (lock === null) {
    throw new FolderInUseError(
      `A server is running on the data folder ${paths.folder}. Stop it first: verify --repair needs exclusive access.`,
    )
  }
  const database = openDatabase(paths.database)
  try {
    report.onBackup(await backUp(paths, report.onProgress))
    const repairEach: OnFound = ({ problem, repair }) => {
      if (repair === undefined) return
      repair()
      report.onRepaired(problem)
    }
    const { onProgress } = report
    await database.transact(() =>
      checkDatabase(database.writer, paths.pictures, { onProgress, onFound: repairEach }),
    )
    await recheck(database)
    const writeRecords = await checkRecords(paths, database.reader, repairEach)
    await writeRecords()
  } finally {
    database.close()
    lock.release()
  }
}

/** If a damaged file prevents a complete backup, only the database is copied. */
async function backUp(paths: DataPaths, onProgress: OnProgress): Promise<string> {
  makeFolder(paths.backups)
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const file = join(paths.backups, `before-repair-${time}`)
  const task = prepareBackup(paths, `${file}.tar`, onProgress)
  try {
    await task.run()
    return `${file}.tar`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await snapshotDatabase(paths.database, `${file}.db`, () => {})
    return `${file}.db`
  } finally {
    task.abandon()
  }
}
