/** Bytes of a header; the content of every entry is padded to a multiple of it. */
export const blockBytes = 512

/** Two empty blocks end an archive. */
export const endBytes = 2 * blockBytes

/** Zero bytes after content of this size. */
export function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes
}

export interface TarEntry {
  /** ASCII, at most 100 characters. */
  name: string
  /** Bytes. */
  size: number
  /** Whole seconds since 1970. */
  mtime: number
}

/**
 * The only header (POSIX ustar) that an entry of a backup can have: a plain file with mode 0600 and no owner. The
 * reader knows which entry comes next and compares all 512 bytes, so it never interprets untrusted headers.
 */
export function tarHeader({ name, size, mtime }: TarEntry): Buffer {
  const header = Buffer.alloc(blockBytes)
  if (header.write(name, 0, 100, 'ascii') !== name.length) throw new RangeError(`${name} is too long for tar`)
  // Fields end with a zero byte, which the buffer already contains.
  header.write(octal(0o600, 7), 100, 'ascii')
  header.write(octal(0, 7), 108, 'ascii')
  header.write(octal(0, 7), 116, 'ascii')
  writeSize(header, size)
  header.write(octal(mtime, 11), 136, 'ascii')
  header.write('0', 156, 'ascii')
  header.write('ustar', 257, 'ascii')
  header.write('00', 263, 'ascii')
  // For the checksum, its own field counts as spaces.
  header.fill(' ', 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148, 'ascii')
  return header
}

/** A size of 8 GiB or more is binary with the highest bit set, as in GNU tar and libarchive. */
function writeSize(header: Buffer, size: number): void {
  if (size < 8 ** 11) {
    header.write(octal(size, 11), 124, 'ascii')
    return
  }
  header.writeUInt8(0x80, 124)
  header.writeBigUInt64BE(BigInt(size), 128)
}

function readSize(header: Buffer): number {
  if (header.readUInt8(124) === 0x80) return Number(header.readBigUInt64BE(128))
  return Number.parseInt(header.toString('latin1', 124, 136), 8)
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** The unchecked fields of a header, for the first entry and for messages. */
export function peekHeader(header: Buffer): { name: string; size: number; mtime: number } {
  const text = (start: number, length: number): string =>
    header.toString('latin1', start, start + length).split('\0', 1)[0] ?? ''
  return {
    name: text(0, 100),
    size: readSize(header),
    mtime: Number.parseInt(text(136, 12), 8),
  }
}
