import { lstatSync, realpathSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, dirname, isAbsolute, relative, sep } from 'node:path'

/** Files that SQLite opens next to a database. */
const siblings = ['-journal', '-wal', '-shm']

/**
 * Why SQLite must not open this project's database, or null if it may. Opening a named pipe never returns, and a link
 * could lead to any file of this user. Files can still be replaced between this check and the opening; the server's
 * time limit then ends the process.
 */
export function findUnsafeFile(file: string): string | null {
  const root = realpathSync.native(dirname(dirname(file)))
  const real = realpathSync.native(file)
  const path = relative(root, real)
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) {
    return `data/${basename(file)} is a link to ${real}, outside the project folder`
  }
  // SQLite resolves links before it looks for the files next to a database.
  for (const sibling of siblings.map((end) => `${real}${end}`)) {
    const stats = lstatSync(sibling, { throwIfNoEntry: false })
    if (stats !== undefined && !stats.isFile()) return `${basename(sibling)} is ${kindOf(stats)}`
  }
  return null
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isDirectory() ? 'a folder' : 'not a regular file'
}
