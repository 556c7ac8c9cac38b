import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  leavesOf,
  naiveConsistency,
  naiveInclusion,
  naiveRoot,
} from '../../../tests/support/fixtures/naive-tree.ts'
import { emptyRoot } from './hashes.ts'
import { verifyConsistency, verifyInclusion } from './proofs.ts'

const maxSize = 64
const leaves = leavesOf(maxSize)
const sizes = leaves.map((_, index) => index + 1)
const roots = [...sizes.keys(), maxSize].map((size) => naiveRoot(leaves.slice(0, size)))
const leafAt = (index: number): Uint8Array => leaves[index] ?? emptyRoot
const rootAt = (size: number): Uint8Array => roots[size] ?? emptyRoot

const inclusionOf = (index: number, size: number) => ({
  index,
  size,
  leaf: leafAt(index),
  root: rootAt(size),
  hashes: naiveInclusion(index, leaves.slice(0, size)),
})

const consistencyOf = (from: number, to: number) => ({
  from,
  to,
  fromRoot: rootAt(from),
  toRoot: rootAt(to),
  hashes: naiveConsistency(from, leaves.slice(0, to)),
})

const flipBit = (hash: Uint8Array, bit: number): Uint8Array =>
  hash.with(bit >> 3, (hash[bit >> 3] ?? 0) ^ (1 << (bit & 7)))

/** Each list that differs by a hash that is missing, duplicated, exchanged with the next or has the bit flipped. */
const mutationsOf = (hashes: readonly Uint8Array[], bit: number): Uint8Array[][] => [
  [...hashes, leafAt(0)],
  [leafAt(0), ...hashes],
  ...hashes.flatMap((hash, at) => [
    hashes.toSpliced(at, 1),
    hashes.toSpliced(at, 0, hash),
    hashes.with(at, flipBit(hash, bit)),
    hashes.with(at, hash.slice(1)),
    ...(at === 0 ? [] : [hashes.with(at, hashes[at - 1] ?? emptyRoot).with(at - 1, hash)]),
  ]),
]

/** Every pair of a tree size and a smaller number. */
const pairs = sizes.flatMap((size) => [...Array(size).keys()].map((less) => [less, size] as const))

const inclusions = pairs.map(([index, size]) => inclusionOf(index, size))
const consistencies = pairs.map(([less, size]) => consistencyOf(less + 1, size))

test('every entry of every tree up to 64 entries is proved', () => {
  expect(inclusions.filter((proof) => !verifyInclusion(proof))).toEqual([])
})

test('every tree up to 64 entries is proved to begin with every smaller one and itself', () => {
  expect(consistencies.filter((proof) => !verifyConsistency(proof))).toEqual([])
})

test('no mutation of an inclusion proof is accepted', () => {
  const mutated = inclusions.flatMap((proof, at) =>
    mutationsOf(proof.hashes, at % 256).map((hashes) => ({ ...proof, hashes })),
  )
  expect(mutated.length).toBeGreaterThan(inclusions.length)
  expect(mutated.filter(verifyInclusion)).toEqual([])
})

test('no mutation of a consistency proof is accepted', () => {
  const mutated = consistencies.flatMap((proof, at) =>
    mutationsOf(proof.hashes, at % 256).map((hashes) => ({ ...proof, hashes })),
  )
  expect(mutated.length).toBeGreaterThan(consistencies.length)
  expect(mutated.filter(verifyConsistency)).toEqual([])
})

test('no single flipped bit in hashes, roots or leaf is accepted', () => {
  const inclusion = inclusionOf(9, 13)
  const consistency = consistencyOf(6, 13)
  for (const bit of Array(256).keys()) {
    for (const [at, hash] of inclusion.hashes.entries()) {
      const hashes = inclusion.hashes.with(at, flipBit(hash, bit))
      expect(verifyInclusion({ ...inclusion, hashes })).toBe(false)
    }
    expect(verifyInclusion({ ...inclusion, leaf: flipBit(inclusion.leaf, bit) })).toBe(false)
    expect(verifyInclusion({ ...inclusion, root: flipBit(inclusion.root, bit) })).toBe(false)
    for (const [at, hash] of consistency.hashes.entries()) {
      const hashes = consistency.hashes.with(at, flipBit(hash, bit))
      expect(verifyConsistency({ ...consistency, hashes })).toBe(false)
    }
    expect(verifyConsistency({ ...consistency, fromRoot: flipBit(consistency.fromRoot, bit) })).toBe(false)
    expect(verifyConsistency({ ...consistency, toRoot: flipBit(consistency.toRoot, bit) })).toBe(false)
  }
})

test('a proof proves only its own position and its own older tree', () => {
  const anyPair = fc.constantFrom(...pairs)
  fc.assert(
    fc.property(anyPair, anyPair, ([index, size], [other]) => {
      // With the same size, which a checkpoint binds to the root: without that, a subtree could be taken for an entry.
      const moved = { ...inclusionOf(index, size), index: other }
      if (index !== other) expect(verifyInclusion(moved)).toBe(false)
      const older = { ...consistencyOf(index + 1, size), from: other + 1 }
      expect(verifyConsistency({ ...older, fromRoot: rootAt(other + 1) })).toBe(index === other)
    }),
    { numRuns: 300 },
  )
})

test('sizes that are no counts, or out of order, are refused', () => {
  const inclusion = inclusionOf(0, 1)
  const consistency = consistencyOf(1, 1)
  for (const value of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    expect(verifyInclusion({ ...inclusion, index: value })).toBe(false)
    expect(verifyInclusion({ ...inclusion, size: value })).toBe(false)
    expect(verifyConsistency({ ...consistency, from: value })).toBe(false)
    expect(verifyConsistency({ ...consistency, to: value })).toBe(false)
  }
  expect(verifyInclusion({ ...inclusion, index: 1 })).toBe(false)
  expect(verifyInclusion({ ...inclusion, size: 0 })).toBe(false)
  expect(verifyConsistency({ ...consistency, from: 0 })).toBe(false)
  expect(verifyConsistency({ ...consistencyOf(1, 2), from: 3 })).toBe(false)
})
