import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { printable } from '../wasm/printable.ts'
import { digestOf } from './digest.ts'
import { longestMarkText, shownMarks } from './marks.ts'
import type { Mark, Marks } from './module-scan.ts'

/** Marks that are compared individually. Of a file with more, which is suspicious, the rest is hashed in order. */
const maxDistinct = 10_000

const BETWEEN = Uint8Array.of(0)

/** Collects the marks of one kind with bounded memory and time. */
export class MarkCollector {
  readonly #bytes: Uint8Array
  readonly #shown: Mark[] = []
  readonly #digests = new Set<string>()
  readonly #rest = sha256.create()
  #total = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** `text` is called only for the first distinct marks. */
  add(offset: number, length: number, text: () => string): void {
    this.#total += 1
    const content = this.#bytes.subarray(offset, offset + length)
    if (this.#total > maxDistinct) {
      this.#rest.update(content).update(BETWEEN)
      return
    }
    const digest = digestOf(content)
    if (this.#digests.has(digest)) return
    this.#digests.add(digest)
    if (this.#shown.length < shownMarks) {
      this.#shown.push({ offset, length, text: printable(text(), longestMarkText) })
    }
  }

  /** The digest does not depend on the order in which a linker places the same data. */
  marks(): Marks {
    if (this.#total === 0) return { total: 0, digest: '', shown: [] }
    const digests = [...this.#digests].toSorted().join(' ')
    const digest = digestOf(utf8ToBytes(`${digests} ${bytesToHex(this.#rest.digest())}`))
    return { total: this.#total, digest, shown: this.#shown }
  }
}
