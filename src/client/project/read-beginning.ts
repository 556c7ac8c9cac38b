import { open } from 'node:fs/promises'
import { codeOf } from '../../shared/errors.ts'
import { aboutFile } from '../../files/about-file.ts'

/** Up to `maxBytes` bytes from the beginning of a file; null if it does not exist. */
export async function readBeginning(file: string, maxBytes: number): Promise<Buffer<ArrayBuffer> | null> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const buffer = Buffer.alloc(size > 0 ? Math.min(size, maxBytes) : maxBytes)
      let filled = 0
      while (filled < buffer.length) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, null)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return buffer.subarray(0, filled)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw aboutFile(error, file)
  }
}
