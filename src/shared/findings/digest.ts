import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

// The checks are synchronous and run in browsers too. Web Crypto is asynchronous, and Node's crypto is not in browsers.

/** The first 128 bits of the SHA-256, in hex. */
export function digestOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes)).slice(0, 32)
}

/** Identifies a finding by its check and what it saw. Collisions are infeasible. */
export function fingerprintOf(check: string, key: readonly (string | number)[]): string {
  return digestOf(utf8ToBytes(JSON.stringify([check, ...key])))
}
