import { readDataSegments } from './data-segments.ts'
import type { ModuleSection } from './module-summary.ts'
import {
  findMatches,
  MIN_BASE64,
  SIGNS,
  type StringKind,
  stringKinds,
  type TextRun,
} from './string-matches.ts'

export type { StringKind }

/** Shorter runs of characters are mostly random. */
const MIN_CHARACTERS = 6

/** Maximum number of strings in the table: addresses, paths and Base64 together, and others. More are only counted. */
export interface StringLimits {
  known: number
  other: number
}

/** A string. `offset` is from the start of the file, `length` in bytes. A wide string is UTF-16. */
export interface FoundString {
  kind: StringKind
  offset: number
  length: number
  wide: boolean
}

/**
 * The result of a scan, in file order; a run comes after the matches in it. A module may contain two million strings, so
 * they are stored in typed arrays instead of objects.
 */
export interface StringTable {
  count: number
  offsets: Uint32Array
  lengths: Uint32Array
  /** Index into `stringKinds`, plus 128 for wide strings. */
  kinds: Uint8Array
  /** Number of strings of each kind, including those that exceed the limits. */
  totals: Record<StringKind, number>
}

const WIDE = 128

class StringCollector {
  readonly #limits: StringLimits
  readonly #counts = { known: 0, other: 0 }
  #count = 0
  #offsets = new Uint32Array(1024)
  #lengths = new Uint32Array(1024)
  #kinds = new Uint8Array(1024)
  readonly totals: Record<StringKind, number> = { address: 0, ip: 0, path: 0, base64: 0, other: 0 }

  constructor(limits: StringLimits) {
    this.#limits = limits
  }

  add(kind: StringKind, offset: number, length: number, wide: boolean): void {
    this.totals[kind] += 1
    const group = kind === 'other' ? 'other' : 'known'
    if (this.#counts[group] >= this.#limits[group]) return
    this.#counts[group] += 1
    if (this.#count === this.#offsets.length) this.#grow()
    this.#offsets[this.#count] = offset
    this.#lengths[this.#count] = length
    this.#kinds[this.#count] = stringKinds.indexOf(kind) + (wide ? WIDE : 0)
    this.#count += 1
  }

  table(): StringTable {
    const count = this.#count
    return {
      count,
      offsets: this.#offsets.slice(0, count),
      lengths: this.#lengths.slice(0, count),
      kinds: this.#kinds.slice(0, count),
      totals: this.totals,
    }
  }

  #grow(): void {
    const room = this.#count * 2
    const offsets = new Uint32Array(room)
    const lengths = new Uint32Array(room)
    const kinds = new Uint8Array(room)
    offsets.set(this.#offsets)
    lengths.set(this.#lengths)
    kinds.set(this.#kinds)
    this.#offsets = offsets
    this.#lengths = lengths
    this.#kinds = kinds
  }
}

const CHARACTER = 1
const SIGN = 2

/** Whether a byte is not text, a character, or a character that occurs in every address and path. */
const TRAITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte !== 0x09 && (byte < 0x20 || byte > 0x7e)) return 0
  return SIGNS.includes(String.fromCharCode(byte)) ? CHARACTER | SIGN : CHARACTER
})

/** The length of the UTF-8 sequence of a visible non-ASCII character at `at`, or 0. */
const sequenceLength = (bytes: Uint8Array, at: number, end: number): number => {
  const first = bytes[at] ?? 0
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  if (length === 0 || at + length > end) return 0
  for (let index = 1; index < length; index += 1) {
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0
  }
  const second = bytes[at + 1] ?? 0
  // Control characters, overlong forms, surrogates, and code points beyond Unicode.
  const isRefused =
    (first === 0xc2 && second < 0xa0) ||
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f)
  return isRefused ? 0 : length
}

class RunScanner {
  readonly #bytes: Uint8Array
  readonly #found: StringCollector

  constructor(bytes: Uint8Array, found: StringCollector) {
    this.#bytes = bytes
    this.#found = found
  }

  scan(start: number, end: number): void {
    const bytes = this.#bytes
    let at = start
    while (at < end) {
      const wideEnd = this.#wideEnd(at, end)
      if (wideEnd > at) {
        this.#take({ bytes, start: at, units: (wideEnd - at) / 2, step: 2 })
        at = wideEnd
        continue
      }
      let characters = 0
      let next = at
      let seen = 0
      while (next < end) {
        const traits = TRAITS[bytes[next] ?? 0] ?? 0
        const width = traits === 0 ? sequenceLength(bytes, next, end) : 1
        if (width === 0) break
        // The last character before a zero may be the first of a wide string.
        if (width === 1 && next > at && bytes[next + 1] === 0 && this.#wideEnd(next, end) > next) break
        seen |= traits
        characters += 1
        next += width
      }
      if (characters >= MIN_CHARACTERS) {
        if ((seen & SIGN) === 0 && next - at < MIN_BASE64) this.#found.add('other', at, next - at, false)
        else this.#take({ bytes, start: at, units: next - at, step: 1 })
      }
      at = Math.max(next, at + 1)
    }
  }

  /** The end of a string of ASCII in UTF-16 (little-endian) that starts at `at`, or `at`. */
  #wideEnd(at: number, end: number): number {
    const bytes = this.#bytes
    let next = at
    while (next + 1 < end && bytes[next + 1] === 0 && TRAITS[bytes[next] ?? 0] !== 0) next += 2
    return next - at >= MIN_CHARACTERS * 2 ? next : at
  }

  #take(run: TextRun): void {
    const { start, step, units } = run
    const found = this.#found
    const wide = step === 2
    let known = 0
    findMatches(run, (kind, from, to) => {
      known += to - from
      found.add(kind, start + from * step, (to - from) * step, wide)
    })
    // The text around a match is shown too, because it may explain it.
    if (units - known >= (known === 0 ? 1 : MIN_CHARACTERS)) {
      found.add('other', start, units * step, wide)
    }
  }
}

/**
 * Finds strings in the data segments of a module: runs of at least six characters, and the addresses, paths and Base64 in
 * them. A run with other text is also included as a whole, as `other`. Only data segments are scanned, because the code
 * can read nothing else. Time is linear in the size of the data section.
 */
export const findStrings = (
  bytes: Uint8Array,
  sections: readonly ModuleSection[],
  limits: StringLimits,
): StringTable => {
  const found = new StringCollector(limits)
  const scanner = new RunScanner(bytes, found)
  const { starts, sizes } = readDataSegments(bytes, sections)
  for (const [segment, start] of starts.entries()) scanner.scan(start, start + (sizes[segment] ?? 0))
  return found.table()
}

export const stringAt = (table: StringTable, index: number): FoundString => {
  const kind = table.kinds[index] ?? 0
  return {
    kind: stringKinds[kind & ~WIDE] ?? 'other',
    offset: table.offsets[index] ?? 0,
    length: table.lengths[index] ?? 0,
    wide: kind >= WIDE,
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

/** The text of a string, cut to `maxBytes` bytes. */
export const stringText = (bytes: Uint8Array, found: FoundString, maxBytes = 1000): string => {
  const length = Math.min(found.length, maxBytes)
  const part = bytes.subarray(found.offset, found.offset + length)
  const text = (found.wide ? utf16 : utf8).decode(part)
  // The cut may split a character.
  return length < found.length ? text.replace(/\uFFFD$/, '') : text
}
