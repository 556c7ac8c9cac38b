import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireFileLock } from '../db/file-lock.ts'

export interface WorkFolder {
  path: string
  /** Removes the folder with its contents. Safe to call again. */
  remove(): void
}

const lockName = 'lock'

/** Milliseconds for which a folder without a lock may still be in creation by another process. */
const creationMs = 60_000

/**
 * Creates a private folder in `parent` with a name that starts with `prefix`, locked until `remove`. Such folders
 * left by killed processes are no longer locked, and are removed.
 */
export function makeWorkFolder(parent: string, prefix: string): WorkFolder {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) sweep(join(parent, name))
  }
  const path = mkdtempSync(join(parent, prefix))
  const lock = acquireFileLock(join(path, lockName), 0)
  return {
    path,
    remove() {
      lock?.release()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function sweep(folder: string): void {
  try {
    const { uid, mtimeMs } = lstatSync(folder)
    // In a shared folder such as /tmp, other users may have created it.
    if (process.getuid !== undefined && uid !== process.getuid()) return
    const path = join(folder, lockName)
    if (!existsSync(path) && Math.abs(Date.now() - mtimeMs) < creationMs) return
    const lock = acquireFileLock(path, 0)
    if (lock === null) return
    lock.release()
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Another process is removing it, or it can't be removed; either way, the work can continue.
  }
}
