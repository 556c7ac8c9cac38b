import { hashBytes, isSameHash, nodeHash } from './hashes.ts'

// Sizes exceed 32 bits, so bits are read with arithmetic instead of bitwise operators.

interface InclusionProof {
  /** Of the entry, from 0. */
  index: number
  /** Of the tree. */
  size: number
  /** The leaf hash of the entry. */
  leaf: Uint8Array
  root: Uint8Array
  hashes: readonly Uint8Array[]
}

interface ConsistencyProof {
  /** The size of the older tree, at least 1. */
  from: number
  to: number
  fromRoot: Uint8Array
  toRoot: Uint8Array
  hashes: readonly Uint8Array[]
}

/** Whether the tree has this entry at this index (RFC 9162, section 2.1.3.2). */
export function verifyInclusion({ index, size, leaf, root, hashes }: InclusionProof): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes([leaf, root, ...hashes])) return false
  const path = new Path(index, size - 1)
  let hash = leaf
  for (const next of hashes) {
    if (path.isAtRoot) return false
    hash = path.isRightmost ? nodeHash(next, hash) : nodeHash(hash, next)
    path.ascend()
  }
  return path.isAtRoot && isSameHash(hash, root)
}

/** Whether the newer tree begins with all entries of the older one (RFC 9162, section 2.1.4.2). */
export function verifyConsistency({ from, to, fromRoot, toRoot, hashes }: ConsistencyProof): boolean {
  if (!isCount(from) || !isCount(to) || from < 1 || from > to) return false
  if (!areHashes([fromRoot, toRoot, ...hashes])) return false
  if (from === to) return hashes.length === 0 && isSameHash(fromRoot, toRoot)
  const path = new Path(from - 1, to - 1)
  path.skipCompleteSubtrees()
  // If the older tree is a complete subtree of the newer one, its root starts the proof and is not sent.
  const [first, ...rest] = path.isAtLeftEdge ? [fromRoot, ...hashes] : hashes
  if (first === undefined) return false
  let older = first
  let newer = first
  for (const next of rest) {
    if (path.isAtRoot) return false
    if (path.isRightmost) {
      older = nodeHash(next, older)
      newer = nodeHash(next, newer)
    } else newer = nodeHash(newer, next)
    path.ascend()
  }
  return path.isAtRoot && isSameHash(older, fromRoot) && isSameHash(newer, toRoot)
}

/** A node between a leaf and the root, and the last node of its level: `fn` and `sn` of the RFC. */
class Path {
  #node: number
  #last: number

  constructor(node: number, last: number) {
    this.#node = node
    this.#last = last
  }

  get isAtRoot(): boolean {
    return this.#last === 0
  }

  get isAtLeftEdge(): boolean {
    return this.#node === 0
  }

  /** Whether the next hash of the proof is the left sibling. */
  get isRightmost(): boolean {
    return this.#node % 2 === 1 || this.#node === this.#last
  }

  /** Goes to the parent, skipping the levels on which a last node without a sibling is carried up. */
  ascend(): void {
    if (this.isRightmost) while (this.#node % 2 === 0 && this.#node !== 0) this.#halve()
    this.#halve()
  }

  /** Goes up as long as the node is a right child, so that its subtree is complete. */
  skipCompleteSubtrees(): void {
    while (this.#node % 2 === 1) this.#halve()
  }

  #halve(): void {
    this.#node = Math.floor(this.#node / 2)
    this.#last = Math.floor(this.#last / 2)
  }
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

const areHashes = (hashes: readonly Uint8Array[]): boolean =>
  hashes.every(({ length }) => length === hashBytes)
