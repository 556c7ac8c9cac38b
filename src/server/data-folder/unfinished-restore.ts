import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../files/durable-files.ts'
import { Refusal } from './refusal.ts'

/** The parts of a data folder's paths that tell whether a restore finished. */
interface Place {
  folder: string
  database: string
}

/** Begins the name of the folder in which a restore prepares what it will move into place. */
export const preparationPrefix = '.restore-'

/** In that folder as soon as anything outside of it is changed. */
const placingName = 'placing'

/** Marks a preparation as complete: from now on the data folder may hold a part of it. */
export function markPlacing(preparation: string): void {
  replaceFile(join(preparation, placingName), '')
}

export function isPlacing(preparation: string): boolean {
  return existsSync(join(preparation, placingName))
}

/**
 * How far a restore got whose process was killed, or null where none was: `preparing` has changed nothing yet, while
 * `placing` has moved some parts into place. The database is moved last, so a folder with one is whole.
 */
export function findUnfinishedRestore({ folder, database }: Place): 'preparing' | 'placing' | null {
  if (existsSync(database)) return null
  const preparations = listPreparations(folder)
  if (preparations.length === 0) return null
  return preparations.some(isPlacing) ? 'placing' : 'preparing'
}

/** Throws a Refusal where a restore did not finish; starting there would make an empty registry beside its parts. */
export function assertRestoreFinished(place: Place): void {
  if (findUnfinishedRestore(place) === null) return
  throw new Refusal(
    `A restore into ${place.folder} was interrupted and has not finished. Run it again: skilldock restore FILE. ` +
      'To start with an empty registry instead, delete everything in that folder.',
  )
}

/** Throws a Refusal where the folder holds no registry, or only a part of one. */
export function assertRegistry(place: Place): void {
  if (existsSync(place.database)) return
  assertRestoreFinished(place)
  throw new Refusal(`There is no Skilldock data in ${place.folder}. Set SKILLDOCK_DATA to the data folder.`)
}

/** Removes the preparations of restores that were killed, but for `except`. The caller holds the data folder. */
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
