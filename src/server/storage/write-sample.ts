import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

const sample = Buffer.alloc(65_536, 1)

/** The name of the file begins like this, so that it is not taken for an upload. */
export const samplePrefix = 'sample-'

/** Writes 64 KiB to a file in a folder and flushes them. Its name is removed first, so that a crash leaves nothing. */
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
