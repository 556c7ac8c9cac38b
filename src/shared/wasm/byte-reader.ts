import { countOf } from '../text.ts'
import { refuse } from './module-problem.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads `bytes` from `offset` to `end` and never beyond. Methods throw only `ModuleRefusal`. In its message, `what` is
 * the item being read and `where` the part of the file that contains it.
 */
export class ByteReader {
  readonly bytes: Uint8Array
  readonly end: number
  readonly where: string
  offset: number

  constructor(bytes: Uint8Array, start: number, end: number, where: string) {
    this.bytes = bytes
    this.offset = start
    this.end = end
    this.where = where
  }

  get remaining(): number {
    return this.end - this.offset
  }

  throwEndsInside(what: string): never {
    return refuse('truncated', `${this.where} ends inside ${what}`, this.offset)
  }

  byte(what: string): number {
    const value = this.bytes[this.offset]
    if (value === undefined || this.offset >= this.end) return this.throwEndsInside(what)
    this.offset += 1
    return value
  }

  /** An unsigned LEB128 number of at most 32 bits. */
  u32(what: string): number {
    // Optimized for one-byte numbers, of which there are millions.
    const first = this.bytes[this.offset]
    if (first !== undefined && first < 0x80 && this.offset < this.end) {
      this.offset += 1
      return first
    }
    // The unsigned shift also makes it a small integer for the engine. The floating-point result of `**` would slow down
    // all offsets computed from it.
    return this.#unsignedTail(this.byte(what), 28, 0x0f, what) >>> 0
  }

  /** An unsigned LEB128 number of at most 64 bits. Above 2^53 it is only approximate. */
  u64(what: string): number {
    const first = this.byte(what)
    return first < 0x80 ? first : this.#unsignedTail(first, 63, 0x01, what)
  }

  /** A signed LEB128 number of at most 33 bits, the encoding of heap types. */
  s33(what: string): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = this.byte(what)
      value += (next & 0x7f) * 2 ** shift
      // The fifth byte has five significant bits, and the bits above the sign bit must equal it.
      if (shift === 28 && next > 0x0f && (next < 0x70 || next > 0x7f)) this.#badNumber(what)
      if (next < 0x80) return next & 0x40 ? value - 2 ** (shift + 7) : value
    }
  }

  /** Skips a LEB128 number of at most `maxBytes` bytes. */
  skipNumber(maxBytes: number, what: string): void {
    for (let read = 0; read < maxBytes; read += 1) {
      if (this.byte(what) < 0x80) return
    }
    this.#badNumber(what)
  }

  /** A u32 with the number of entries that follow, each of at least `minBytes`. Throws if they cannot fit. */
  count(minBytes: number, what: string): number {
    const at = this.offset
    const count = this.u32(`the number of ${what}`)
    if (count * minBytes > this.remaining) {
      const message = `${this.where} declares ${count} ${what} but has only ${countOf(this.remaining, 'byte')} left`
      refuse('truncated', message, at)
    }
    return count
  }

  skip(length: number, what: string): void {
    if (length > this.remaining) this.throwEndsInside(what)
    this.offset += length
  }

  /** A length and that many bytes of UTF-8. */
  name(what: string, maxBytes: number): string {
    const at = this.offset
    const length = this.u32(`the length of ${what}`)
    const start = this.offset
    this.skip(length, what)
    if (length > maxBytes) refuse('limit', `${what} has ${length} bytes; the maximum is ${maxBytes}`, at)
    try {
      return utf8.decode(this.bytes.subarray(start, this.offset))
    } catch {
      return refuse('malformed', `${what} is not valid UTF-8`, start)
    }
  }

  expectEnd(): void {
    if (this.remaining > 0) {
      refuse(
        'malformed',
        `${this.where} has ${countOf(this.remaining, 'byte')} after its last entry`,
        this.offset,
      )
    }
  }

  #unsignedTail(first: number, lastShift: number, lastByteLimit: number, what: string): number {
    let value = first & 0x7f
    for (let shift = 7; shift <= lastShift; shift += 7) {
      const next = this.byte(what)
      if (shift === lastShift && next > lastByteLimit) break
      value += (next & 0x7f) * 2 ** shift
      if (next < 0x80) return value
    }
    return this.#badNumber(what)
  }

  #badNumber(what: string): never {
    return refuse('malformed', `${this.where} writes ${what} as a number with too many bits`, this.offset - 1)
  }
}
