import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

const sample = Buffer.alloc(65_536, 1)

/** Distinguishes the file from an upload. */
export const samplePrefix = 'sample-'

/**
 * Writes 64 KiB to a file in a folder and flushes it. Unlinks the file first, so that a crash leaves nothing behind.
 */
export async function writeSample(folder: string): Promise<void> {
  const path = join(folder, `${samplePrefix}${randomUUID()}.part`)
  const handle = await open(path, 'wx', 0o600)
  try {
    await rm(path)
    await handle.writeFile(sample)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
