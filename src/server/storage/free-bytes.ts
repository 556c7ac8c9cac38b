import { statfs } from 'node:fs/promises'

/** Free bytes on the disk of a folder; null if unknown. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
