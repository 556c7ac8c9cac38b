import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { printable } from '../wasm/printable.ts'
import { digestOf } from './digest.ts'
import { longestMarkText, shownMarks } from './marks.ts'
import type { Mark, Marks } from './module-scan.ts'

/** So many marks are told apart; a file with more is not honest, and the order of the rest counts. */
const mostTold = 10_000

const BETWEEN = Uint8Array.of(0)

/** Gathers the marks of one kind, in little memory and time however many there are. */
export class MarkCollector {
  readonly #bytes: Uint8Array
  readonly #shown: Mark[] = []
  readonly #told = new Set<string>()
  readonly #rest = sha256.create()
  #total = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** `text` is asked for where the mark is one of the first that are different. */
  add(offset: number, length: number, text: () => string): void {
    this.#total += 1
    const content = this.#bytes.subarray(offset, offset + length)
    if (this.#total > mostTold) {
      this.#rest.update(content).update(BETWEEN)
      return
    }
    const digest = digestOf(content)
    if (this.#told.has(digest)) return
    this.#told.add(digest)
    if (this.#shown.length < shownMarks) {
      this.#shown.push({ offset, length, text: printable(text(), longestMarkText) })
    }
  }

  /** The order in which a linker puts the same things does not change the digest. */
  marks(): Marks {
    if (this.#total === 0) return { total: 0, digest: '', shown: [] }
    const told = [...this.#told].toSorted().join(' ')
    const digest = digestOf(utf8ToBytes(`${told} ${bytesToHex(this.#rest.digest())}`))
    return { total: this.#total, digest, shown: this.#shown }
  }
}
