import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { lockForServing, makeWritableFolder } from './data-folder.ts'
import type { DataPaths } from './data-folder.ts'
import { Refusal } from './refusal.ts'
import { findUnfinishedRestore, isPlacing, preparationPrefix } from './unfinished-restore.ts'
import { texts } from './data-folder.texts.ts'

const removals = 3
const betweenRemovalsMs = 20

/**
 * Creates the folder if needed and locks it, so that no server starts in it. If it is not empty, throws a Refusal and
 * changes nothing; locks and the preparations of a killed restore are ignored. With `overRestore`, so are the parts that
 * a killed restore moved into place: they stay until the new restore replaces them.
 */
export function claimEmptyFolder(paths: DataPaths, purpose: string, { overRestore = false } = {}) {
  const isNew = !existsSync(paths.folder)
  makeWritableFolder(paths)
  const isOver = overRestore && findUnfinishedRestore(paths) === 'placing'
  assertEmpty(paths, purpose, isOver)
  const lock = lockForServing(paths)
  if (lock === null) throw new Refusal(texts.inUseFor(paths.folder, purpose))
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
    /** Unlocks the folder and keeps its new contents. */
    release,
    /** Unlocks the folder and removes its new contents. Safe to call again. */
    abandon(): void {
      if (!held) return
      release()
      // A file operation in progress may still create something. This blocks, so that no new one starts.
      for (let round = 0; round < removals; round += 1) {
        removeOwn(paths, isOver ? isOnlyPrepared : () => true)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenRemovalsMs)
      }
      if (isNew && readdirSync(paths.folder).length === 0) rmdirSync(paths.folder)
    },
  }
}

/** Removes a registry from its folder, except for its backups, locks and the preparations of a restore. */
export function removeRegistry(paths: DataPaths): void {
  for (const name of registryNames(paths)) {
    if (name === basename(paths.backups)) continue
    rmSync(join(paths.folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

function assertEmpty(paths: DataPaths, purpose: string, isOver: boolean): void {
  const allowed = [...lockNames(paths), ...(isOver ? registryNames(paths) : [])]
  const found = readdirSync(paths.folder).filter(
    (name) => !allowed.includes(name) && !name.startsWith(preparationPrefix),
  )
  if (found.length === 0) return
  const some = [...found.slice(0, 3), ...(found.length > 3 ? ['…'] : [])].join(', ')
  throw new Refusal(texts.notEmpty(paths.folder, some, purpose))
}

function lockNames(paths: DataPaths): string[] {
  return [paths.serverLock, paths.initializationLock].flatMap((path) => withSqliteFiles(basename(path)))
}

function registryNames(paths: DataPaths): string[] {
  return [
    // First, because a folder without a database doesn't count as a registry.
    ...withSqliteFiles(basename(paths.database)),
    `.${basename(paths.database)}-litestream`,
    ...withSqliteFiles(basename(paths.agentsMirror)),
    ...[
      paths.packages,
      paths.pictures,
      paths.records,
      paths.signingKey,
      paths.logKey,
      paths.logCheckpoint,
      paths.backups,
      paths.settings,
      paths.storage,
      paths.replication,
      paths.litestreamConfig,
      paths.litestreamSocket,
    ].map((path) => basename(path)),
  ]
}

function withSqliteFiles(name: string): string[] {
  return [name, `${name}-wal`, `${name}-shm`, `${name}-journal`]
}

/** Removes files that Skilldock itself creates in a data folder, if `shouldRemove`, and nothing else. */
function removeOwn(paths: DataPaths, shouldRemove: (name: string) => boolean): void {
  const own = [...registryNames(paths), ...lockNames(paths)]
  for (const name of readdirSync(paths.folder)) {
    if (!own.includes(name) && !name.startsWith(preparationPrefix)) continue
    if (shouldRemove(name)) rmSync(join(paths.folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}
