import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveSecret } from './signing-key.ts'
import type { SigningKey } from './signing-key.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts texts that the server needs again, but that a copy of the database alone must not reveal. The key is derived
 * from the signing key, so it exists only in the data folder's protected file, and in backups.
 */
export function createSealer(key: SigningKey, purpose: string) {
  const secret = deriveSecret(key, purpose)
  return {
    /** Returns nonce, tag and ciphertext as base64url. */
    seal(text: string): string {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, secret, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    /** Null if it was sealed with another key, or damaged. */
    open(sealed: string): string | null {
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        const text = [decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]
        return Buffer.concat(text).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

export type Sealer = ReturnType<typeof createSealer>
