import { setImmediate as nextTurn } from 'node:timers/promises'

// Reads the files in which Litestream 0.5 keeps one transaction each (LTX version 3): a header, the changed pages with
// their numbers, an index that is not needed here, and a checksum of all of it, with the pages uncompressed.

interface Page {
  /** From 1. */
  number: number
  bytes: Buffer
}

/** What one transaction changed. */
export interface Transaction {
  /** Bytes. */
  pageSize: number
  /** Pages of the database afterwards. */
  pageCount: number
  pages: Page[]
}

const headerSize = 100
const pageHeaderSize = 6
const checksumSize = 8
/** The only flag of a page: its size follows, and then a block of LZ4. */
const isBlock = 1
/** Pages that are read without a pause. */
const pagesAtOnce = 64

/** Reads the file of transaction `txid`. Throws if it is damaged or of another kind. */
export async function readTransaction(file: Buffer, txid: number): Promise<Transaction> {
  const damaged = (what: string): Error => new Error(`transaction ${txid} is damaged: ${what}`)
  if (file.length < headerSize + 2 * checksumSize || file.toString('latin1', 0, 4) !== 'LTX1')
    throw damaged('no header')
  const pageSize = file.readUInt32BE(8)
  const pageCount = file.readUInt32BE(12)
  if (pageSize < 512 || pageSize > 65_536 || pageCount === 0) throw damaged('sizes')
  if ([16, 24].some((at) => file.readBigUInt64BE(at) !== BigInt(txid))) throw damaged('another transaction')
  const checksum = createChecksum()
  checksum.add(file.subarray(0, headerSize))
  const pages: Page[] = []
  const end = file.length - checksumSize
  let at = headerSize
  for (;;) {
    if (at + pageHeaderSize > end) throw damaged('cut off')
    const number = file.readUInt32BE(at)
    if (number === 0) break
    if (number > pageCount || file.readUInt16BE(at + 4) !== isBlock) throw damaged('page')
    const start = at + pageHeaderSize + 4
    if (start > end) throw damaged('cut off')
    checksum.add(file.subarray(at, start))
    at = start + file.readUInt32BE(start - 4)
    if (at > end) throw damaged('cut off')
    const bytes = Buffer.alloc(pageSize)
    if (!decompress(file.subarray(start, at), bytes)) throw damaged(`page ${number}`)
    checksum.add(bytes)
    pages.push({ number, bytes })
    if (pages.length % pagesAtOnce === 0) await nextTurn()
  }
  checksum.add(file.subarray(at, end))
  // Its first bit says that there is one.
  if ((checksum.read() | (1n << 63n)) !== file.readBigUInt64BE(end)) throw damaged('checksum')
  return { pageSize, pageCount, pages }
}

/** Fills `target` from a block of LZ4; false unless it fits exactly. */
export function decompress(block: Buffer, target: Buffer): boolean {
  let from = 0
  let to = 0
  /** A length of 15 goes on in the next bytes. */
  const lengthOf = (first: number): number => {
    let length = first
    if (first < 15) return length
    for (let more = 255; more === 255;) {
      more = block[from] ?? 0
      from += 1
      length += more
    }
    return length
  }
  while (from < block.length) {
    const token = block[from] ?? 0
    from += 1
    const literals = lengthOf(token >> 4)
    if (from + literals > block.length || to + literals > target.length) return false
    block.copy(target, to, from, from + literals)
    from += literals
    to += literals
    if (from === block.length) return to === target.length
    if (from + 2 > block.length) return false
    const distance = block.readUInt16LE(from)
    from += 2
    const length = lengthOf(token & 15) + 4
    if (distance === 0 || distance > to || to + length > target.length) return false
    // Byte by byte, since what is copied may overlap with where it is copied to.
    for (const last = to + length; to < last; to += 1) target[to] = target[to - distance] ?? 0
  }
  return false
}

/** One entry for each byte: the upper and the lower half of the 64 bits. */
const table = Array.from({ length: 256 }, (_, byte) => {
  let value = BigInt(byte)
  for (let bit = 0; bit < 8; bit += 1)
    value = (value & 1n) === 1n ? (value >> 1n) ^ (0xd8n << 56n) : value >> 1n
  return value
})
const upper = Uint32Array.from(table, (value) => Number(value >> 32n))
const lower = Uint32Array.from(table, (value) => Number(value & 0xff_ff_ff_ffn))

/** CRC-64 of ISO 3309, in two halves, because a BigInt for each byte takes twenty times as long. */
function createChecksum() {
  let high = ~0
  let low = ~0
  return {
    add(bytes: Uint8Array): void {
      for (const byte of bytes) {
        const entry = (low ^ byte) & 0xff
        low = (lower[entry] ?? 0) ^ ((low >>> 8) | (high << 24))
        high = (upper[entry] ?? 0) ^ (high >>> 8)
      }
    },
    read: (): bigint => (BigInt(~high >>> 0) << 32n) | BigInt(~low >>> 0),
  }
}
