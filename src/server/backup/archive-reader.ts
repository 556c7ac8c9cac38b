import { open } from 'node:fs/promises'
import { aboutFile } from '../../files/about-file.ts'
import { printable } from '../../shared/wasm/printable.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { blockBytes, endBytes, paddingOf, peekHeader, tarHeader } from './tar-header.ts'
import type { TarEntry } from './tar-header.ts'

/** Bytes per read. */
const pieceBytes = 262_144

export interface ArchiveReader {
  /** Reads the complete first entry, whose size and time are not known in advance. */
  readFirst(name: string, maxBytes: number): Promise<{ bytes: Buffer; mtime: number }>
  /**
   * Reads the next entry, which must match `entry` exactly. The caller must read it to the end; each chunk is valid
   * until the next one is read.
   */
  read(entry: TarEntry): AsyncGenerator<Buffer, void, undefined>
  /** Checks that only the end marker follows. */
  readEnd(): Promise<void>
  close(): Promise<void>
}

/**
 * Reads an archive written by `createArchive`. Headers are compared with the expected ones, not interpreted, so links,
 * other paths, other types and tar extensions are impossible. Every Refusal names the entry.
 */
export async function openArchive(path: string): Promise<ArchiveReader> {
  const file = await open(path, 'r')
  const { size: total } = await file.stat()
  const piece = Buffer.alloc(pieceBytes)
  let position = 0

  /** Reads `length` bytes, or one piece if that is shorter. */
  const take = async (length: number, name: string): Promise<Buffer> => {
    const size = Math.min(length, pieceBytes)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await file
        .read(piece, filled, size - filled, position)
        .catch((error: unknown) => Promise.reject(aboutFile(error, path)))
      if (bytesRead === 0) throw new Refusal(`${name}: the backup is truncated here`)
      filled += bytesRead
      position += bytesRead
    }
    return piece.subarray(0, size)
  }

  const takeHeader = async (entry: TarEntry): Promise<void> => {
    const header = await take(blockBytes, entry.name)
    if (header.equals(tarHeader(entry))) return
    const found = header.every((byte) => byte === 0) ? 'nothing' : `"${printable(peekHeader(header).name)}"`
    throw new Refusal(
      found === `"${entry.name}"`
        ? `${entry.name}: its header has been changed`
        : `${entry.name}: missing; the backup contains ${found} in its place`,
    )
  }

  const read = async function* (entry: TarEntry): AsyncGenerator<Buffer, void, undefined> {
    const { name, size } = entry
    await takeHeader(entry)
    if (size > total - position) throw new Refusal(`${name}: the backup is truncated here`)
    for (let left = size; left > 0;) {
      const chunk = await take(left, name)
      left -= chunk.length
      yield chunk
    }
    const padding = await take(paddingOf(size), name)
    if (padding.some((byte) => byte !== 0)) throw new Refusal(`${name}: its padding has been changed`)
  }

  return {
    read,
    async readFirst(name, maxBytes) {
      const header = await take(blockBytes, name)
      const { size, mtime } = peekHeader(header)
      position = 0
      if (!Number.isSafeInteger(size) || !Number.isSafeInteger(mtime) || mtime < 0) {
        throw new Refusal(`${name}: this is not a Skilldock backup`)
      }
      if (size > maxBytes) throw new Refusal(`${name}: it is too large`)
      const chunks: Buffer[] = []
      for await (const chunk of read({ name, size, mtime })) chunks.push(Buffer.from(chunk))
      return { bytes: Buffer.concat(chunks), mtime }
    },
    async readEnd() {
      const name = 'the end'
      if (total - position !== endBytes) throw new Refusal(`${name}: unexpected data after the last file`)
      const end = await take(endBytes, name)
      if (end.some((byte) => byte !== 0)) throw new Refusal(`${name}: the end marker has been changed`)
    },
    close: () => file.close(),
  }
}
