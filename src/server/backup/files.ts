import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Bytes read at once. */
const pieceBytes = 262_144

/**
 * The bytes of a file, a piece at a time; each is valid until the next is asked for. One buffer for all of them:
 * a stream's buffers would pile up until the next garbage collection.
 */
export async function* readPieces(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await open(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(pieceBytes)
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const { bytesRead } = await file.read(piece, 0, pieceBytes, null)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Reads a file once, a piece at a time, for its SHA-256 and its size in bytes. */
export async function digestFile(path: string): Promise<{ sha256: string; size: number }> {
  return drain(readPieces(path))
}

export async function drain(source: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of source) {
    hash.update(chunk)
    size += chunk.length
  }
  return { sha256: hash.digest('hex'), size }
}

/** The same, with the bytes written to a new file that only its owner can read, flushed. */
export async function saveFile(
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; size: number }> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of source) {
      hash.update(chunk)
      size += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
    return { sha256: hash.digest('hex'), size }
  } finally {
    await file.close()
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
