import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

// Web Crypto's digest is asynchronous and Node's is not in browsers; the checks are neither.

/** The first 128 bits of the SHA-256 of bytes, in hexadecimal digits. */
export function digestOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes)).slice(0, 32)
}

/** Of a check and of what it saw: nobody finds two things with the same one. */
export function fingerprintOf(check: string, key: readonly (string | number)[]): string {
  return digestOf(utf8ToBytes(JSON.stringify([check, ...key])))
}
