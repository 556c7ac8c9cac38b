import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Bytes per read. */
const pieceBytes = 262_144

/** The buffer of the last file that was read, for the next one: buffers pile up until the next garbage collection. */
let spare: Buffer | null = null

/** Reads a file in pieces; each is valid until the next one is read. */
export async function* readPieces(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await open(path, 'r')
  const piece = spare ?? Buffer.allocUnsafeSlow(pieceBytes)
  spare = null
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, pieceBytes, null)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    spare = piece
    await file.close()
  }
}

/** The SHA-256 and the size in bytes of a file. */
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

/** Writes the bytes to a new file that only its owner can read, flushes it, and returns its digest and size. */
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
