import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { makeFolder, replaceFile } from '../../files/durable-files.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'

const backupSchema = z.strictObject({
  /** Its absolute path. */
  file: z.string(),
  bytes: z.int(),
  at: z.iso.datetime(),
  /** When it was restored and checked successfully; null if it was not. */
  testedAt: z.iso.datetime().nullable(),
})
type RecordedBackup = z.infer<typeof backupSchema>

const stateSchema = z.strictObject({
  /** Every backup that the server wrote and did not remove, oldest first. */
  backups: z.array(backupSchema),
  /** Why the last attempt failed; null if it succeeded. */
  failure: z.strictObject({ at: z.iso.datetime(), reason: z.string() }).nullable(),
})
type BackupState = z.infer<typeof stateSchema>

export const backupStatePath = ({ backups }: Pick<DataPaths, 'backups'>): string =>
  join(backups, 'state.json')

/** The latest backup that was tested successfully and is still there. */
export function lastTested({ backups }: BackupState): RecordedBackup | null {
  return backups.findLast(({ testedAt, file }) => testedAt !== null && existsSync(file)) ?? null
}

/** Without a readable file, no backup is known, so the server removes none and soon makes one. */
export function readBackupState(path: string): BackupState {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return { backups: [], failure: null }
  }
}

export function writeBackupState(path: string, state: BackupState): void {
  makeFolder(dirname(path))
  replaceFile(path, `${JSON.stringify(state, null, 2)}\n`)
}

/** The backups to keep: the newest `keep` that were tested, and the newest of all. */
export function retainedBackups(backups: readonly RecordedBackup[], keep: number): Set<RecordedBackup> {
  const tested = backups.filter(({ testedAt }) => testedAt !== null)
  return new Set([...tested.slice(-keep), ...backups.slice(-1)])
}
