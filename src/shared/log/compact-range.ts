import { emptyRoot, nodeHash } from './hashes.ts'

/**
 * The roots of the complete subtrees of a tree, from the largest to the smallest: all that is needed to append to the
 * tree and to compute its root. A tree of a million entries has at most 20.
 */
export class CompactRange {
  #size: number
  readonly #roots: Uint8Array[]

  /** Continues a tree from its `size` and `roots`. Throws if there is not one root for each bit of the size. */
  constructor(size = 0, roots: readonly Uint8Array[] = []) {
    if (rootCountOf(size) !== roots.length) throw new Error('the roots are not those of a tree of this size')
    this.#size = size
    this.#roots = [...roots]
  }

  get size(): number {
    return this.#size
  }

  get roots(): readonly Uint8Array[] {
    return this.#roots
  }

  append(leaf: Uint8Array): void {
    let root = leaf
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      root = nodeHash(this.#roots.pop() ?? emptyRoot, root)
    }
    this.#roots.push(root)
    this.#size += 1
  }

  /** The root of the whole tree. */
  root(): Uint8Array {
    const smallest = this.#roots.at(-1)
    if (smallest === undefined) return emptyRoot
    return this.#roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), smallest)
  }
}

/** How many bits of the size are set. */
const rootCountOf = (size: number): number => size.toString(2).replaceAll('0', '').length
