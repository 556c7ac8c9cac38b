import { emptyRoot, nodeHash } from '../../../shared/log/hashes.ts'

/** Reads the root of the complete subtree of 2^level leaves that begins at leaf `index * 2^level`. */
export type ReadNode = (level: number, index: number) => Uint8Array

/** The largest power of two less than `n`, which is at least 2. */
const splitOf = (n: number): number => 2 ** (31 - Math.clz32(n - 1))

/** The root of the tree of the leaves from `start` to `end` (exclusive), where `start` is aligned as RFC 6962 splits. */
function rangeHash(start: number, end: number, read: ReadNode): Uint8Array {
  const size = end - start
  const level = 31 - Math.clz32(size)
  if (2 ** level === size) return read(level, start / size)
  const middle = start + splitOf(size)
  return nodeHash(rangeHash(start, middle, read), rangeHash(middle, end, read))
}

/** The root hash of the first `size` leaves. */
export function rootHash(size: number, read: ReadNode): Uint8Array {
  return size === 0 ? emptyRoot : rangeHash(0, size, read)
}

/** RFC 6962, section 2.1.1: proves that leaf `index` is in the tree of `size` leaves. */
export function inclusionProof(index: number, size: number, read: ReadNode): Uint8Array[] {
  const hashes: Uint8Array[] = []
  for (let start = 0, end = size; end - start > 1;) {
    const middle = start + splitOf(end - start)
    hashes.push(index < middle ? rangeHash(middle, end, read) : rangeHash(start, middle, read))
    if (index < middle) end = middle
    else start = middle
  }
  return hashes.toReversed()
}

/** RFC 6962, section 2.1.2: proves that the tree of `to` leaves begins with the tree of `from` leaves, at least one. */
export function consistencyProof(from: number, to: number, read: ReadNode): Uint8Array[] {
  const hashes: Uint8Array[] = []
  let start = 0
  let end = to
  while (end !== from) {
    const middle = start + splitOf(end - start)
    hashes.push(from <= middle ? rangeHash(middle, end, read) : rangeHash(start, middle, read))
    if (from <= middle) end = middle
    else start = middle
  }
  // The verifier already knows the root of the former tree, unless it is only a part of it.
  if (start > 0) hashes.push(rangeHash(start, end, read))
  return hashes.toReversed()
}
