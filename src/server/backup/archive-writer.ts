import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { endBytes, paddingOf, tarHeader } from './tar-header.ts'

/** A source had more or fewer bytes than announced. */
export class WrongSizeError extends Error {
  override readonly name = 'WrongSizeError'
}

export interface ArchiveWriter {
  /** Adds an entry and returns the SHA-256 of its bytes. Throws WrongSizeError. */
  add(name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<string>
  /** Ends the archive and flushes it to the disk. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** Streams a tar archive to a new file that only its owner can read. `mtime` is in seconds. */
export async function createArchive(path: string, mtime: number): Promise<ArchiveWriter> {
  const file = await open(path, 'wx', 0o600)
  return {
    async add(name, size, source) {
      const hash = createHash('sha256')
      let written = 0
      await file.writeFile(tarHeader({ name, size, mtime }))
      for await (const chunk of source) {
        written += chunk.length
        if (written > size) break
        hash.update(chunk)
        await file.writeFile(chunk)
      }
      if (written !== size) throw new WrongSizeError(`${name} does not have ${size} bytes`)
      await file.writeFile(Buffer.alloc(paddingOf(size)))
      return hash.digest('hex')
    },
    async finish() {
      await file.writeFile(Buffer.alloc(endBytes))
      await file.sync()
    },
    close: () => file.close(),
  }
}
