import { statSync } from 'node:fs'

/** Device and inode of the file at a path, or null if it doesn't exist. */
export function fileIdentity(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`
}
