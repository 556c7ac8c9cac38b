import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { naiveRoot } from '../../../tests/support/fixtures/naive-tree.ts'
import { emptyRoot, isSameHash, leafHash, nodeHash } from './hashes.ts'

// The test data of the reference implementation (github.com/google/certificate-transparency).
const entries = '|00|10|2021|3031|40414243|5051525354555657|606162636465666768696a6b6c6d6e6f'.split('|')
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test('the roots are those of the reference implementation of RFC 6962', () => {
  const leaves = entries.map((hex) => leafHash(hexToBytes(hex)))
  const computed = roots.map((_, size) => naiveRoot(leaves.slice(0, size)))
  expect(computed.map(bytesToHex)).toEqual(roots)
  expect(computed[0]).toEqual(emptyRoot)
})

test('an entry that consists of two hashes is not their node', () => {
  const [left, right] = [leafHash(Uint8Array.of(1)), leafHash(Uint8Array.of(2))]
  expect(isSameHash(leafHash(Uint8Array.of(...left, ...right)), nodeHash(left, right))).toBe(false)
})

test('hashes are the same only if every byte and the length are', () => {
  expect(isSameHash(emptyRoot, emptyRoot.slice())).toBe(true)
  expect(isSameHash(emptyRoot, emptyRoot.slice(1))).toBe(false)
  expect(isSameHash(emptyRoot, emptyRoot.with(31, 0))).toBe(false)
})
