import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readSigningKey } from '../storage/signing-key.ts'
import type { OnProblem } from './progress.ts'

/** Whether the key file can be read and its two halves belong together. */
export function checkSigningKey(path: string, onProblem: OnProblem): void {
  try {
    const key = readSigningKey(path)
    const made = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' })
    if (made.x !== key.x) onProblem('signing-key.json: its public half is not that of its private half')
  } catch {
    onProblem('signing-key.json: it is missing or cannot be read; no token can be checked without it')
  }
}
