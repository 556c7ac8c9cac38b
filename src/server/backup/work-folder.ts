import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireFileLock } from '../db/file-lock.ts'
import type { FileLock } from '../db/file-lock.ts'

export interface WorkFolder {
  path: string
  /** Removes the folder with its contents. Safe to call again. */
  remove(): void
}

const lockName = 'lock'

/** Added to the name of a folder before it is removed. */
const removedSuffix = '~'

/** Milliseconds for which a folder may still be in creation or in removal by another process. */
const freshMs = 60_000

/**
 * Creates a private folder in `parent` with a name that starts with `prefix`, locked until `remove`. Such folders
 * left by killed processes are no longer locked, and are removed.
 */
export function makeWorkFolder(parent: string, prefix: string): WorkFolder {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) sweep(join(parent, name))
  }
  for (;;) {
    const path = mkdtempSync(join(parent, prefix))
    const lock = lockFolder(path)
    if (lock?.isHeld() === true) {
      return {
        path,
        remove() {
          if (existsSync(path)) removeLocked(path, lock)
        },
      }
    }
    // Before it was locked, another process mistook it for a leftover.
    lock?.release()
  }
}

/** Null if another process holds the lock, or has removed the folder. */
function lockFolder(folder: string): FileLock | null {
  try {
    return acquireFileLock(join(folder, lockName), 0)
  } catch (error) {
    if (existsSync(folder)) throw error
    return null
  }
}

function sweep(folder: string): void {
  try {
    const { uid, mtimeMs } = lstatSync(folder)
    // In a shared folder such as /tmp, other users may have created it.
    if (process.getuid !== undefined && uid !== process.getuid()) return
    const path = join(folder, lockName)
    const isFresh = Math.abs(Date.now() - mtimeMs) < freshMs
    if (isFresh && (folder.endsWith(removedSuffix) || !existsSync(path))) return
    const lock = acquireFileLock(path, 0)
    if (lock === null) return
    removeLocked(folder, lock)
  } catch {
    // Another process is removing it, or it can't be removed; either way, the work can continue.
  }
}

function removeLocked(folder: string, lock: FileLock): void {
  // Windows neither renames a folder with an open file nor removes the file.
  if (process.platform === 'win32') lock.release()
  try {
    // A process that is about to lock it must not find it half-removed.
    const renamed = folder + removedSuffix
    renameSync(folder, renamed)
    rmSync(renamed, { recursive: true, force: true, maxRetries: 3 })
  } finally {
    lock.release()
  }
}
