import { sha256 } from '@noble/hashes/sha2.js'

// The tree of RFC 6962, section 2.1. Leaves and nodes have different prefixes, so that no node can be passed off as an entry.

export const hashBytes = 32

/** The root of a tree without entries. */
export const emptyRoot: Uint8Array = sha256(new Uint8Array())

export const leafHash = (entry: Uint8Array): Uint8Array =>
  sha256.create().update(Uint8Array.of(0)).update(entry).digest()

export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256.create().update(Uint8Array.of(1)).update(left).update(right).digest()

/** Not in constant time: hashes of a public log are not secret. */
export const isSameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])
