import { createHash, generateKeyPairSync, hkdfSync } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { codeOf } from '../../shared/errors.ts'
import { replaceFile } from '../../files/durable-files.ts'

const keySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  d: z.string(),
  x: z.string(),
  kid: z.string(),
})

/** An Ed25519 key pair of the built-in issuer or the transparency log, as a private JWK. */
export type SigningKey = z.infer<typeof keySchema>

/** The key file exists but is not a valid key. */
class DamagedKeyError extends Error {
  override readonly name = 'DamagedKeyError'
}

/**
 * Creates the key file (mode 0600) if there isn't one. The caller holds the data folder's initialization lock, so
 * that two commands that start at the same time create only one key.
 */
export function ensureSigningKey(path: string): void {
  if (!existsSync(path)) saveSigningKey(path, createSigningKey())
}

export function createSigningKey(): SigningKey {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const { x, d } = z.object({ x: z.string(), d: z.string() }).parse(jwk)
  return { kty: 'OKP', crv: 'Ed25519', d, x, kid: thumbprint(x) }
}

export function saveSigningKey(path: string, key: SigningKey): void {
  replaceFile(path, JSON.stringify(key))
}

/** Reads a key, and narrows the file's mode if others have access. */
export function readSigningKey(path: string): SigningKey {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) narrowMode(path)
  const text = readFileSync(path, 'utf8')
  try {
    return keySchema.parse(JSON.parse(text))
  } catch (error) {
    throw new DamagedKeyError(
      `${path} is not a valid signing key. Restore it from a backup, or delete it to get a new one, which invalidates everything signed with it.`,
      { cause: error },
    )
  }
}

function narrowMode(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    // A read-only file system; commands that only read can continue.
    if (codeOf(error) !== 'EROFS') throw error
  }
}

/** 32 secret bytes for another purpose, from which neither the key nor those for other purposes can be computed. */
export function deriveSecret(key: SigningKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key.d, 'base64url'), '', `skilldock ${purpose}`, 32))
}

/** RFC 7638: the SHA-256 of the public key's required members in alphabetical order. */
export function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
}
