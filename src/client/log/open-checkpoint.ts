import { createPublicKey, verify } from 'node:crypto'
import { openNote, parseCheckpoint } from '../../shared/log/signed-note.ts'
import type { Checkpoint, Verify, VerifierKey } from '../../shared/log/signed-note.ts'

export interface SignedCheckpoint extends Checkpoint {
  /** The signed note, with which anyone can check that the registry made this statement. */
  note: string
}

/** Null if this key did not sign the note, or if it is not a checkpoint of the log that is named like the key. */
export function openCheckpoint(note: string, key: VerifierKey): SignedCheckpoint | null {
  const text = openNote(note, key, verifyEd25519)
  const checkpoint = text === null ? null : parseCheckpoint(text)
  return checkpoint?.origin === key.name ? { ...checkpoint, note } : null
}

const verifyEd25519: Verify = (publicKey, message, signature) => {
  const x = Buffer.from(publicKey).toString('base64url')
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
  return verify(null, message, key, signature)
}
