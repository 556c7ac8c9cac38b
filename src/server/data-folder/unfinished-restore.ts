import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../files/durable-files.ts'
import { Refusal } from './refusal.ts'
import { texts } from './data-folder.texts.ts'

/** The paths of a data folder that show whether a restore finished. */
interface FolderPaths {
  folder: string
  database: string
}

/** Name prefix of the folder in which a restore prepares the parts that it will move into place. */
export const preparationPrefix = '.restore-'

/** A file in that folder, created before anything outside of it is changed. */
const placingName = 'placing'

/** Marks a preparation as complete: after that, the data folder may contain some of its parts. */
export function markPlacing(preparation: string): void {
  replaceFile(join(preparation, placingName), '')
}

export function isPlacing(preparation: string): boolean {
  return existsSync(join(preparation, placingName))
}

/**
 * How far a killed restore got, or null: `preparing` has changed nothing yet, `placing` has moved some parts into
 * place. The database is moved last, so a folder with a database is complete.
 */
export function findUnfinishedRestore({ folder, database }: FolderPaths): 'preparing' | 'placing' | null {
  if (existsSync(database)) return null
  const preparations = listPreparations(folder)
  if (preparations.length === 0) return null
  return preparations.some(isPlacing) ? 'placing' : 'preparing'
}

/** Throws a Refusal if a restore did not finish; a start would create an empty registry among its parts. */
export function assertRestoreFinished(paths: FolderPaths): void {
  if (findUnfinishedRestore(paths) === null) return
  throw new Refusal(texts.unfinishedRestore(paths.folder))
}

/** Throws a Refusal if the folder contains no registry or only a part of one. */
export function assertRegistry(paths: FolderPaths): void {
  if (existsSync(paths.database)) return
  assertRestoreFinished(paths)
  throw new Refusal(texts.noData(paths.folder))
}

/** Removes the preparations of killed restores, except for `except`. The caller has locked the data folder. */
export function removePreparations(folder: string, except?: string): void {
  for (const preparation of listPreparations(folder)) {
    if (preparation !== except) rmSync(preparation, { recursive: true, force: true, maxRetries: 3 })
  }
}

function listPreparations(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(preparationPrefix))
    .map((name) => join(folder, name))
}
