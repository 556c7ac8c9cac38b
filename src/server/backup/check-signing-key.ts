import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readSigningKey } from '../storage/signing-key.ts'
import type { OnProblem } from './progress.ts'

/** Checks that the key file is readable and that its public and private keys match. */
export function checkSigningKey(path: string, onProblem: OnProblem): void {
  try {
    const key = readSigningKey(path)
    const derived = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' })
    if (derived.x !== key.x) onProblem('signing-key.json: its public key does not match its private key')
  } catch {
    onProblem('signing-key.json: it is missing or cannot be read; tokens cannot be verified without it')
  }
}
