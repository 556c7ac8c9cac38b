import { statfs } from 'node:fs/promises'

/** Bytes that are free on the disk of a folder; null where the system does not tell. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
