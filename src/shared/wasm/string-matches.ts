// Finds addresses, paths and Base64 in a run of text from a module. Compilers place strings next to each other without a
// separator, so this searches within a run. It compares bytes without regular expressions, so that the time is linear for
// any input.

export const stringKinds = ['address', 'ip', 'path', 'base64', 'other'] as const

/** `address` is a web address, `base64` at least 40 characters of Base64, `other` any other text. */
export type StringKind = (typeof stringKinds)[number]

/** A run of characters, `step` bytes apart: 1 for ASCII and UTF-8, 2 for UTF-16. */
export interface TextRun {
  bytes: Uint8Array
  /** Offset of the first byte in the file. */
  start: number
  /** Number of bytes, or of pairs of bytes for UTF-16. */
  units: number
  step: 1 | 2
}

/** Called for each match with its units `from` and `to` (exclusive) in the run. */
type Report = (kind: Exclude<StringKind, 'other'>, from: number, to: number) => void

const MAX_SCHEME = 16
/** A shorter run without any of the characters below contains no match. */
export const MIN_BASE64 = 40
/** Every address and path contains one of these characters. */
export const SIGNS = ':/\\.'

const IS_DIGIT = 1
const IS_UPPER = 2
const IS_LOWER = 4
const IS_HEX = 8
const IN_BASE64 = 16
const IN_BASE64_URL = 32
const IN_PATH = 64
const ENDS_ADDRESS = 128
const IS_STOP = 256

const IS_LETTER = IS_UPPER | IS_LOWER
const IS_WORD = IS_LETTER | IS_DIGIT

const TRAITS = (() => {
  const traits = new Uint16Array(256)
  const add = (chars: string, trait: number): void => {
    for (const char of chars) {
      const code = char.charCodeAt(0)
      traits[code] = (traits[code] ?? 0) | trait
    }
  }
  const digits = '0123456789'
  const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const lower = upper.toLowerCase()
  add(digits, IS_DIGIT | IS_HEX)
  add(upper, IS_UPPER)
  add(lower, IS_LOWER)
  add('abcdefABCDEF', IS_HEX)
  add(digits + upper + lower, IN_BASE64 | IN_BASE64_URL | IN_PATH)
  add('+/', IN_BASE64)
  add('_-', IN_BASE64_URL)
  add('/._+-~@%', IN_PATH)
  add('\t "<>\\^`{|}', ENDS_ADDRESS)
  add('.,;:!?\'")]', IS_STOP)
  return traits
})()

const SCHEMES = ['https', 'http', 'wss', 'ws', 'ftps', 'sftp', 'ftp', 'file', 'ssh', 'git'] as const

const COLON = 0x3a
const SLASH = 0x2f
const BACKSLASH = 0x5c
const DOT = 0x2e
const TILDE = 0x7e
const EQUALS = 0x3d

class Matcher {
  readonly #run: TextRun
  readonly #report: Report

  constructor(run: TextRun, report: Report) {
    this.#run = run
    this.#report = report
  }

  find(): void {
    const { units } = this.#run
    let from = 0
    for (let at = 0; at < units; at += 1) {
      if (this.#at(at) !== COLON || this.#at(at + 1) !== SLASH || this.#at(at + 2) !== SLASH) continue
      const start = this.#schemeStart(at, from)
      if (start === at) continue
      let end = at + 3
      while (end < units && !this.#is(end, ENDS_ADDRESS)) end += 1
      end = this.#withoutStops(at + 3, end)
      if (end === at + 3) continue
      this.#findOthers(from, start)
      this.#report('address', start, end)
      from = end
      at = end - 1
    }
    this.#findOthers(from, units)
  }

  /** The unit at `index`; -1 outside of the run. */
  #at(index: number): number {
    const { bytes, start, units, step } = this.#run
    return index < 0 || index >= units ? -1 : (bytes[start + index * step] ?? -1)
  }

  #is(index: number, traits: number): boolean {
    const unit = this.#at(index)
    return unit >= 0 && ((TRAITS[unit] ?? 0) & traits) !== 0
  }

  /** The start of the scheme before `colon`, or `colon` without one. */
  #schemeStart(colon: number, min: number): number {
    // Text directly before an address is not part of it: "seehttp://" is "http".
    for (const scheme of SCHEMES) {
      const start = colon - scheme.length
      if (start >= min && this.#reads(start, scheme)) return start
    }
    let start = colon
    while (start > min && colon - start < MAX_SCHEME && this.#is(start - 1, IS_WORD)) start -= 1
    while (start < colon && !this.#is(start, IS_LETTER)) start += 1
    return start
  }

  /** Removes punctuation after an address or a path. */
  #withoutStops(min: number, end: number): number {
    let last = end
    while (last > min && this.#is(last - 1, IS_STOP)) last -= 1
    return last
  }

  #reads(start: number, lowercase: string): boolean {
    for (let index = 0; index < lowercase.length; index += 1) {
      if ((this.#at(start + index) | 0x20) !== lowercase.charCodeAt(index)) return false
    }
    return true
  }

  #findOthers(from: number, to: number): void {
    let at = from
    while (at < to) {
      const end = this.#base64(at, from, to)
      const ip = end === at ? this.#ip(at, from, to) : at
      const path = end === at && ip === at ? this.#path(at, from, to) : at
      if (end > at) this.#report('base64', at, end)
      else if (ip > at) this.#report('ip', at, ip)
      else if (path > at) this.#report('path', at, path)
      at = Math.max(at + 1, end, ip, path)
    }
  }

  #base64(at: number, from: number, to: number): number {
    for (const alphabet of [IN_BASE64, IN_BASE64_URL]) {
      // Only at the start of a stretch, so that each is measured once.
      if (at > from && this.#is(at - 1, alphabet)) continue
      const end = this.#stretch(at, to, alphabet)
      if (this.#looksEncoded(at, end)) return this.#padded(end, to)
    }
    return at
  }

  #stretch(at: number, to: number, trait: number): number {
    let end = at
    while (end < to && this.#is(end, trait)) end += 1
    return end
  }

  #padded(end: number, to: number): number {
    let padded = end
    while (padded < to && padded < end + 2 && this.#at(padded) === EQUALS) padded += 1
    return padded
  }

  /** In encoded data, about every other character is of a different class, unlike in long names made of words. */
  #looksEncoded(from: number, to: number): boolean {
    const length = to - from
    if (length < MIN_BASE64) return false
    let upper = 0
    let lower = 0
    let changes = 0
    let before = 0
    for (let at = from; at < to; at += 1) {
      const kind = (TRAITS[this.#at(at)] ?? 0) & IS_WORD
      if (kind === IS_UPPER) upper += 1
      if (kind === IS_LOWER) lower += 1
      if (kind !== before) changes += 1
      before = kind
    }
    return upper * 8 >= length && lower * 8 >= length && changes * 20 >= length * 9
  }

  #ip(at: number, from: number, to: number): number {
    const isApart = at === from || (!this.#is(at - 1, IS_WORD) && this.#at(at - 1) !== DOT)
    if (!isApart) return at
    if (this.#is(at, IS_DIGIT)) {
      const end = this.#ipv4(at, to)
      if (end > at) return end
    }
    return this.#at(at - 1) !== COLON || at === from ? this.#ipv6(at, to) : at
  }

  #ipv4(at: number, to: number): number {
    let end = at
    for (let part = 0; part < 4; part += 1) {
      if (part > 0) {
        if (this.#at(end) !== DOT) return at
        end += 1
      }
      const start = end
      let value = 0
      while (end < to && end - start < 3 && this.#is(end, IS_DIGIT)) {
        value = value * 10 + this.#at(end) - 0x30
        end += 1
      }
      if (end === start || value > 255) return at
    }
    if (end < to && this.#is(end, IS_WORD)) return at
    // A fifth number makes it a version, but a trailing dot ends a sentence.
    return end + 1 < to && this.#at(end) === DOT && this.#is(end + 1, IS_DIGIT) ? at : end
  }

  /** Eight groups, or at least three with one `::`. Shorter ones are usually names in the program, such as `a::b`. */
  #ipv6(at: number, to: number): number {
    let end = at
    let groups = 0
    let gaps = 0
    while (end < to && groups <= 8) {
      const start = end
      while (end < to && end - start < 5 && this.#is(end, IS_HEX)) end += 1
      if (end - start > 4) return at
      if (end > start) groups += 1
      if (this.#at(end) !== COLON || end >= to) break
      if (this.#at(end + 1) === COLON) {
        gaps += 1
        end += 2
      } else if (end === start) return at
      else end += 1
    }
    if (end < to && (this.#is(end, IS_WORD) || this.#at(end) === COLON)) return at
    if (this.#at(end - 1) === COLON && this.#at(end - 2) !== COLON) return at
    const isWhole = gaps === 0 ? groups === 8 : gaps === 1 && groups >= 3 && groups < 8
    return isWhole ? end : at
  }

  #path(at: number, from: number, to: number): number {
    if (at > from && this.#is(at - 1, IN_PATH)) return at
    if (this.#isDrive(at) || (this.#at(at) === BACKSLASH && this.#at(at + 1) === BACKSLASH)) {
      return this.#windowsPath(at, from, to)
    }
    let start = at
    if (this.#at(start) === TILDE) start += 1
    else while (this.#at(start) === DOT && start - at < 2) start += 1
    if (this.#at(start) !== SLASH) return at
    const end = this.#withoutStops(start, this.#stretch(at, to, IN_PATH))
    let steps = 0
    for (let index = start; index < end; index += 1) {
      if (this.#at(index) === SLASH && this.#is(index + 1, IS_WORD | IN_BASE64_URL)) steps += 1
    }
    // "/s" after a number or in a sentence is not a path, but "./s", "~/s" and "/s/t" are.
    return steps >= (start === at ? 2 : 1) ? end : at
  }

  #isDrive(at: number): boolean {
    const third = this.#at(at + 2)
    return this.#is(at, IS_LETTER) && this.#at(at + 1) === COLON && (third === BACKSLASH || third === SLASH)
  }

  #windowsPath(at: number, from: number, to: number): number {
    const isDrive = this.#at(at) !== BACKSLASH
    if (!isDrive && at > from && this.#at(at - 1) === BACKSLASH) return at
    let end = at + (isDrive ? 3 : 2)
    const min = end + 1
    if (!this.#is(end, IN_PATH)) return at
    while (end < to && (this.#at(end) === BACKSLASH || this.#is(end, IN_PATH))) end += 1
    end = this.#withoutStops(min, end)
    return end > min ? end : at
  }
}

/** Reports the matches in a run, in order and without overlap. */
export const findMatches = (run: TextRun, report: Report): void => {
  new Matcher(run, report).find()
}
