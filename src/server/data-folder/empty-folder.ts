import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { lockForServing, makeWritableFolder } from './data-folder.ts'
import type { DataPaths } from './data-folder.ts'
import { Refusal } from './refusal.ts'
import { findUnfinishedRestore, isPlacing, preparationPrefix } from './unfinished-restore.ts'

/** A data folder that was empty, held so that no server starts in it. */
export interface EmptyFolder {
  /** Gives the folder free with what was put into it. */
  release(): void
  /** Leaves the folder as it was found. Safe to call again. */
  abandon(): void
}

const looks = 3
const betweenLooksMs = 20

/**
 * Makes the folder if need be and takes its lock. Throws a Refusal, and changes nothing, where anything is in
 * it already; locks and what a killed restore only prepared do not count. With `overRestore` neither do the parts that
 * a killed restore moved into place: they stay until the new restore replaces them.
 */
export function claimEmptyFolder(
  paths: DataPaths,
  purpose: string,
  { overRestore = false } = {},
): EmptyFolder {
  const isNew = !existsSync(paths.folder)
  makeWritableFolder(paths)
  const isOver = overRestore && findUnfinishedRestore(paths) === 'placing'
  assertEmpty(paths, purpose, isOver)
  const lock = lockForServing(paths)
  if (lock === null) {
    throw new Refusal(
      `Another Skilldock is at work in ${paths.folder}. ${purpose} needs the folder to itself.`,
    )
  }
  try {
    assertEmpty(paths, purpose, isOver)
  } catch (error) {
    lock.release()
    throw error
  }
  const isOnlyPrepared = (name: string): boolean =>
    name.startsWith(preparationPrefix) && !isPlacing(join(paths.folder, name))
  removeOwn(paths, isOnlyPrepared)
  let held = true
  const release = (): void => {
    if (held) lock.release()
    held = false
  }
  return {
    release,
    abandon() {
      if (!held) return
      release()
      // A file operation that was under way may still put something there; nothing new begins, for this waits.
      for (let look = 0; look < looks; look += 1) {
        removeOwn(paths, isOver ? isOnlyPrepared : () => true)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenLooksMs)
      }
      if (isNew && readdirSync(paths.folder).length === 0) rmdirSync(paths.folder)
    },
  }
}

/** Takes a registry out of its folder: everything but locks, and what a restore has prepared. */
export function removeRegistry(paths: DataPaths): void {
  for (const name of registryNames(paths)) {
    rmSync(join(paths.folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

function assertEmpty(paths: DataPaths, purpose: string, isOver: boolean): void {
  const allowed = [...lockNames(paths), ...(isOver ? registryNames(paths) : [])]
  const found = readdirSync(paths.folder).filter(
    (name) => !allowed.includes(name) && !name.startsWith(preparationPrefix),
  )
  if (found.length === 0) return
  const some = found.slice(0, 3).join(', ')
  throw new Refusal(
    `${paths.folder} is not empty (${some}${found.length > 3 ? ', …' : ''}), and ${purpose} never touches what ` +
      'is there. Set SKILLDOCK_DATA to an empty or new folder.',
  )
}

function lockNames(paths: DataPaths): string[] {
  return [paths.serverLock, paths.initializationLock].flatMap((path) => withSqliteFiles(basename(path)))
}

function registryNames(paths: DataPaths): string[] {
  return [
    // First: a folder without it is none of a registry.
    ...withSqliteFiles(basename(paths.database)),
    ...withSqliteFiles(basename(paths.agentsMirror)),
    ...[paths.packages, paths.pictures, paths.signingKey, paths.backups, paths.settings].map((path) =>
      basename(path),
    ),
  ]
}

function withSqliteFiles(name: string): string[] {
  return [name, `${name}-wal`, `${name}-shm`, `${name}-journal`]
}

/** Removes what Skilldock itself makes in a data folder, as far as `isWanted`, and nothing else. */
function removeOwn(paths: DataPaths, isWanted: (name: string) => boolean): void {
  const own = [...registryNames(paths), ...lockNames(paths)]
  for (const name of readdirSync(paths.folder)) {
    if (!own.includes(name) && !name.startsWith(preparationPrefix)) continue
    if (isWanted(name)) rmSync(join(paths.folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}
