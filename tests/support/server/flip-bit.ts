import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Changes one bit of the byte at `offset` of a file, in place. */
export function flipBit(path: string, offset: number, bit = 0): void {
  const file = openSync(path, 'r+')
  try {
    const byte = Buffer.alloc(1)
    if (readSync(file, byte, 0, 1, offset) !== 1) throw new RangeError(`${path} has no byte ${offset}`)
    byte.writeUInt8(byte.readUInt8() ^ (1 << bit))
    writeSync(file, byte, 0, 1, offset)
  } finally {
    closeSync(file)
  }
}
