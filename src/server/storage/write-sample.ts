import { randomUUID } from 'node:crypto'
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moveFile } from '../../files/durable-files.ts'

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

/**
 * Renames an empty file, as an upload does at its end. A crash leaves at most that file, which the next start removes
 * like an unfinished upload.
 */
export async function renameSample(folder: string): Promise<void> {
  const path = join(folder, `${samplePrefix}${randomUUID()}.part`)
  const renamed = path.replace(/part$/, 'renamed.part')
  await writeFile(path, '', { flag: 'wx', mode: 0o600 })
  try {
    await moveFile(path, renamed)
  } finally {
    await Promise.all([path, renamed].map((name) => rm(name, { force: true })))
  }
}
