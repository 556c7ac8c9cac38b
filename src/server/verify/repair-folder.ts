import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepareBackup } from '../backup/create-backup.ts'
import type { OnProgress } from '../backup/progress.ts'
import { FolderInUseError, lockForServing } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { openDatabase } from '../db/database.ts'
import type { Database } from '../db/database.ts'
import { snapshotDatabase } from '../db/snapshot.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { checkDatabase } from './database-checks.ts'

export interface RepairReport {
  onProgress: OnProgress
  /** Hears of the file that holds everything as it was before. */
  onBackup(file: string): void
  /** Hears of a problem that is repaired. */
  onRepaired(problem: string): void
}

/**
 * Rebuilds what the checks of the database find to be wrong and can derive again, in one transaction, after a backup. No
 * file but the database is changed. `recheck` runs the release checks again of releases that have lost theirs. Throws
 * FolderInUseError while a server runs.
 */
export async function repairFolder(
  paths: DataPaths,
  report: RepairReport,
  recheck: (database: Database) => Promise<void>,
): Promise<void> {
  const lock = lockForServing(paths)
  if (lock === null) {
    throw new FolderInUseError(
      `A server is running on the data folder ${paths.folder}. Stop it first: verify --repair needs the folder to itself.`,
    )
  }
  const database = openDatabase(paths.database)
  try {
    report.onBackup(await backUp(paths, report.onProgress))
    await database.transact(() =>
      checkDatabase(database.writer, paths.pictures, {
        onProgress: report.onProgress,
        onFound({ problem, repair }) {
          if (repair === undefined) return
          repair()
          report.onRepaired(problem)
        },
      }),
    )
    await recheck(database)
  } finally {
    database.close()
    lock.release()
  }
}

/** A package that is damaged already keeps nobody from repairing the rest: then the database alone is copied. */
async function backUp(paths: DataPaths, onProgress: OnProgress): Promise<string> {
  mkdirSync(paths.backups, { recursive: true, mode: 0o700 })
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
