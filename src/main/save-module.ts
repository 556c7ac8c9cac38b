import { createHash, randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { aboutFile } from '../files/about-file.ts'
import { moveFile } from '../files/durable-files.ts'
import { fileProblem } from '../shared/file-problems.ts'
import { texts } from './app.texts.ts'

/** The bytes are not the reviewed ones. */
export class WrongDigestError extends Error {
  override readonly name = 'WrongDigestError'
}

export function assertDigest(bytes: Uint8Array, sha256: string): void {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new WrongDigestError(texts.files.module.wrongDigest(sha256))
  }
}

/**
 * Writes a file atomically, after reading it back from the disk and verifying its digest. Throws WrongDigestError, in
 * which case nothing is left behind. System errors become a sentence about `path`.
 */
export async function writeChecked(path: string, bytes: Uint8Array, sha256: string): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
  try {
    const file = await open(part, 'wx+')
    try {
      await file.writeFile(bytes)
      await file.sync()
      const written = Buffer.alloc(bytes.length)
      await file.read(written, 0, written.length, 0)
      assertDigest(written, sha256)
    } finally {
      await file.close()
    }
    await moveFile(part, path)
  } catch (error) {
    await rm(part, { force: true })
    const problem = fileProblem(aboutFile(error, path))
    throw problem === null ? error : new Error(problem, { cause: error })
  }
}
