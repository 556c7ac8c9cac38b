import { expect, test } from 'vitest'
import { leavesOf, naiveRoot } from '../../../tests/support/fixtures/naive-tree.ts'
import { CompactRange } from './compact-range.ts'
import { emptyRoot } from './hashes.ts'

const leaves = leavesOf(64)

test('the root of every tree up to 64 entries is that of the definition', () => {
  const range = new CompactRange()
  expect(range.root()).toEqual(emptyRoot)
  for (const [index, leaf] of leaves.entries()) {
    range.append(leaf)
    expect(range.size).toBe(index + 1)
    expect(range.root()).toEqual(naiveRoot(leaves.slice(0, index + 1)))
  }
})

test('a tree is continued from any size', () => {
  const range = new CompactRange()
  for (const [index, leaf] of leaves.entries()) {
    const continued = new CompactRange(range.size, range.roots)
    for (const next of leaves.slice(index)) continued.append(next)
    expect(continued.root()).toEqual(naiveRoot(leaves))
    range.append(leaf)
  }
})

test('a tree is not continued from the roots of another size', () => {
  expect(() => new CompactRange(3, [emptyRoot])).toThrow('not those of a tree')
  expect(() => new CompactRange(0, [emptyRoot])).toThrow('not those of a tree')
})
