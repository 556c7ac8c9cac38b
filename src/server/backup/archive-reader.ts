import { open } from 'node:fs/promises'
import { printable } from '../../shared/wasm/printable.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { blockBytes, endBytes, paddingOf, peekHeader, tarHeader } from './tar-header.ts'
import type { TarEntry } from './tar-header.ts'

/** Bytes read at once. */
const pieceBytes = 262_144

export interface ArchiveReader {
  /** Reads the first entry, whose size and time nobody knows yet, whole. */
  readFirst(name: string, maxBytes: number): Promise<{ bytes: Buffer; mtime: number }>
  /**
   * The bytes of the next entry, which must be exactly the one named. Whoever begins has to read to the end;
   * a chunk is valid until the next one is asked for.
   */
  read(entry: TarEntry): AsyncGenerator<Buffer, void, undefined>
  /** Nothing but the end may follow. */
  readEnd(): Promise<void>
  close(): Promise<void>
}

/**
 * Reads an archive that `createArchive` has written. Headers are compared with the ones that must be there, not
 * interpreted, so links, other paths, other types and extensions of tar cannot occur; each refusal names the entry.
 */
export async function openArchive(path: string): Promise<ArchiveReader> {
  const file = await open(path, 'r')
  const { size: total } = await file.stat()
  const piece = Buffer.alloc(pieceBytes)
  let position = 0

  /** Up to `length` bytes, at most one piece; all of a length that fits one. */
  const take = async (length: number, name: string): Promise<Buffer> => {
    const wanted = Math.min(length, pieceBytes)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await file.read(piece, filled, wanted - filled, position)
      if (bytesRead === 0) throw new Refusal(`${name}: the backup ends in the middle of it`)
      filled += bytesRead
      position += bytesRead
    }
    return piece.subarray(0, wanted)
  }

  const takeHeader = async (entry: TarEntry): Promise<void> => {
    const header = await take(blockBytes, entry.name)
    if (header.equals(tarHeader(entry))) return
    const found = header.every((byte) => byte === 0) ? 'nothing' : `"${printable(peekHeader(header).name)}"`
    throw new Refusal(
      found === `"${entry.name}"`
        ? `${entry.name}: its header is not as it was written`
        : `${entry.name}: in its place the backup holds ${found}`,
    )
  }

  const read = async function* (entry: TarEntry): AsyncGenerator<Buffer, void, undefined> {
    const { name, size } = entry
    await takeHeader(entry)
    if (size > total - position) throw new Refusal(`${name}: the backup ends in the middle of it`)
    for (let left = size; left > 0;) {
      const chunk = await take(left, name)
      left -= chunk.length
      yield chunk
    }
    const padding = await take(paddingOf(size), name)
    if (padding.some((byte) => byte !== 0))
      throw new Refusal(`${name}: the zeros behind it are not as written`)
  }

  return {
    read,
    async readFirst(name, maxBytes) {
      const header = await take(blockBytes, name)
      const { size, mtime } = peekHeader(header)
      position = 0
      if (!Number.isSafeInteger(size) || !Number.isSafeInteger(mtime) || mtime < 0) {
        throw new Refusal(`${name}: this is no backup of Skilldock`)
      }
      if (size > maxBytes) throw new Refusal(`${name}: it is larger than it can be`)
      const chunks: Buffer[] = []
      for await (const chunk of read({ name, size, mtime })) chunks.push(Buffer.from(chunk))
      return { bytes: Buffer.concat(chunks), mtime }
    },
    async readEnd() {
      const name = 'the end'
      if (total - position !== endBytes) throw new Refusal(`${name}: something else follows the last file`)
      const end = await take(endBytes, name)
      if (end.some((byte) => byte !== 0)) throw new Refusal(`${name}: the zeros there are not as written`)
    },
    close: () => file.close(),
  }
}
