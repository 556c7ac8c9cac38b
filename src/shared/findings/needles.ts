// Finds sensitive paths, secrets and embedded programs by their first bytes. Compares bytes without decoding text, so
// the time is linear in the size of the data, whatever it contains.

type NeedleKind = 'path' | 'secret' | 'program'

interface Needle {
  kind: NeedleKind
  /** What it is, as text; empty for a path, which is shown itself. */
  is: string
  first: Uint8Array
  /** Its length in characters, with `at` after the first bytes; 0 if the rest does not match. */
  measure(data: CharacterReader, at: number): number
}

/** Reads the data as characters of one or two (UTF-16) bytes. */
class CharacterReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  step: 1 | 2 = 1
  start = 0

  constructor(bytes: Uint8Array, end: number) {
    this.#bytes = bytes
    this.#end = end
  }

  /** -1 after the end, and for a two-byte character that is not ASCII. */
  at(index: number): number {
    const offset = this.start + index * this.step
    if (offset + this.step > this.#end) return -1
    if (this.step === 2 && this.#bytes[offset + 1] !== 0) return -1
    return this.#bytes[offset] ?? -1
  }

  /** Little-endian. */
  u32(index: number): number {
    const part = (place: number): number => Math.max(0, this.at(index + place))
    return part(0) + part(1) * 256 + part(2) * 65_536 + part(3) * 16_777_216
  }

  startsWith(text: Uint8Array, index = 0): boolean {
    for (let place = 0; place < text.length; place += 1) {
      if (this.at(index + place) !== text[place]) return false
    }
    return true
  }

  get left(): number {
    return Math.floor((this.#end - this.start) / this.step)
  }
}

const latin = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))

const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

const isPath = (code: number): boolean => isWord(code) || code === 0x2f || code === 0x2e || code === 0x5f

/** Maximum length of a path or a token. */
const maxLength = 120

const path = (text: string): Needle => ({
  kind: 'path',
  is: '',
  first: latin(text),
  measure(data) {
    let length = text.length
    while (length < maxLength && isPath(data.at(length))) length += 1
    return length
  },
})

/** A token of a known service: a prefix and a minimum number of letters and digits. */
const token = (is: string, text: string, minLength: number): Needle => ({
  kind: 'secret',
  is,
  first: latin(text),
  measure(data) {
    let length = text.length
    while (length < maxLength && (isWord(data.at(length)) || data.at(length) === 0x5f)) length += 1
    return length - text.length >= minLength ? length : 0
  },
})

const PRIVATE_KEY = latin('PRIVATE KEY-----')
const END = latin('-----END')
/** More than a key of 16,384 bits has. */
const longestKey = 16_384

const privateKey: Needle = {
  kind: 'secret',
  is: 'a private key',
  first: latin('-----BEGIN '),
  measure(data, at) {
    let name = 0
    while (name < 40 && !data.startsWith(PRIVATE_KEY, at + name)) name += 1
    if (name === 40) return 0
    let length = at + name
    while (length < longestKey && data.at(length) >= 0 && !data.startsWith(END, length)) length += 1
    return length
  },
}

const program = (is: string, ...first: number[]): Needle => ({
  kind: 'program',
  is,
  first: Uint8Array.from(first),
  // Its length is unknown without parsing it, so it extends to the end of the segment.
  measure: (data) => data.left,
})

/** Three bytes often match by chance, so flags, level and operating system are checked too. */
const gzip: Needle = {
  ...program('gzip data', 0x1f, 0x8b, 0x08),
  measure(data, at) {
    const [flags, level, system] = [data.at(at), data.at(at + 5), data.at(at + 6)]
    const isHead = flags >= 0 && flags < 32 && [0, 2, 4].includes(level) && (system < 14 || system === 255)
    return isHead ? data.left : 0
  },
}

const zip: Needle = {
  ...program('a zip archive', 0x50, 0x4b, 0x03, 0x04),
  // The required version is at most 6.3.
  measure: (data, at) => (data.at(at) >= 0 && data.at(at) < 64 && data.at(at + 1) === 0 ? data.left : 0),
}

const windowsProgram: Needle = {
  ...program('a Windows program', 0x4d, 0x5a),
  measure(data) {
    const head = data.u32(0x3c)
    return head < 0x1000 && data.startsWith(latin('PE\0\0'), head) ? data.left : 0
  },
}

const script: Needle = {
  kind: 'program',
  is: 'a shell script',
  first: latin('#!/'),
  measure: (data) =>
    data.startsWith(latin('bin/'), 3) || data.startsWith(latin('usr/bin/'), 3) ? data.left : 0,
}

const needles: readonly Needle[] = [
  ...['/etc/passwd', '/etc/shadow', '/etc/sudoers', '/bin/sh', '/bin/bash', '/.ssh', '/.aws/'].map(path),
  ...['.ssh/id_', '.aws/credentials', '.git-credentials', '.kube/config', '.docker/config', '.netrc'].map(
    path,
  ),
  ...['wallet.dat', 'cmd.exe', 'powershell', '/var/run/docker.sock', '/proc/self/environ', '.npmrc'].map(
    path,
  ),
  privateKey,
  token('an AWS access key', 'AKIA', 16),
  token('a GitHub token', 'ghp_', 36),
  token('a GitHub token', 'gho_', 36),
  token('a GitHub token', 'ghs_', 36),
  token('a GitHub token', 'github_pat_', 50),
  token('a GitLab token', 'glpat-', 20),
  token('an npm token', 'npm_', 36),
  token('a PyPI token', 'pypi-', 50),
  token('a Stripe key', 'sk_live_', 20),
  token('a Google key', 'AIza', 30),
  token('a Slack token', 'xoxb-', 10),
  token('a Slack token', 'xoxp-', 10),
  program('a WebAssembly module', 0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
  program('a WebAssembly component', 0x00, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0),
  program('a Linux program', 0x7f, 0x45, 0x4c, 0x46, 1),
  program('a Linux program', 0x7f, 0x45, 0x4c, 0x46, 2),
  program('a macOS program', 0xcf, 0xfa, 0xed, 0xfe),
  windowsProgram,
  script,
  zip,
  gzip,
  program('zstd data', 0x28, 0xb5, 0x2f, 0xfd),
  program('xz data', 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00),
]

const pairOf = (first: number, second: number): number => first * 256 + second

/** Needles by their first two bytes, so that one lookup rules out nearly every offset. Includes UTF-16 text. */
const byPair = ((): readonly (readonly Needle[] | undefined)[] => {
  const lists: Needle[][] = []
  for (const needle of needles) {
    const [first = 0, second = 0] = needle.first
    ;(lists[pairOf(first, second)] ??= []).push(needle)
    if (needle.kind !== 'program') (lists[pairOf(first, 0)] ??= []).push(needle)
  }
  return Array.from({ length: 65_536 }, (_, pair) => lists[pair])
})()

/** `length` is in bytes. `is` is empty for a path. */
type ReportNeedle = (kind: NeedleKind, is: string, offset: number, length: number) => void

/**
 * Reports what is found in the bytes from `start` to `end`. Only the first program is reported, because it extends to
 * the end; paths and secrets within it are reported too.
 */
export function findNeedles(bytes: Uint8Array, start: number, end: number, report: ReportNeedle): void {
  const data = new CharacterReader(bytes, end)
  let hasProgram = false
  const measureAt = (offset: number, needle: Needle): number => {
    if (needle.kind === 'program' && hasProgram) return 0
    data.start = offset
    data.step = needle.kind !== 'program' && bytes[offset + 1] === 0 ? 2 : 1
    return data.startsWith(needle.first) ? needle.measure(data, needle.first.length) * data.step : 0
  }
  for (let offset = start; offset + 1 < end; offset += 1) {
    const candidates = byPair[pairOf(bytes[offset] ?? 0, bytes[offset + 1] ?? 0)]
    if (candidates === undefined) continue
    for (const needle of candidates) {
      const length = measureAt(offset, needle)
      if (length === 0) continue
      report(needle.kind, needle.is, offset, length)
      if (needle.kind === 'program') hasProgram = true
      else offset += length - 1
      break
    }
  }
}
