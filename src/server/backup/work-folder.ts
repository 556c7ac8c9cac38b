import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireFileLock } from '../db/file-lock.ts'

export interface WorkFolder {
  path: string
  /** Removes the folder with all that is in it. Safe to call again. */
  remove(): void
}

const lockName = 'lock'

/** Milliseconds after which a folder without a lock is not one that another process is just making. */
const makingMs = 60_000

/**
 * Makes a private folder in `parent` whose name begins with `prefix`, locked for as long as this process needs it.
 * Folders of that name that killed processes left behind are no longer locked, and are removed.
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
    // In a folder shared by all, such as /tmp, anyone can make one of that name.
    if (process.getuid !== undefined && uid !== process.getuid()) return
    const path = join(folder, lockName)
    if (!existsSync(path) && Math.abs(Date.now() - mtimeMs) < makingMs) return
    const lock = acquireFileLock(path, 0)
    if (lock === null) return
    lock.release()
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Another process is sweeping it too, or it cannot be removed; the work itself does not need it gone.
  }
}
