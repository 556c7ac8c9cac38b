import { createPrivateKey, sign, verify } from 'node:crypto'
import { formatVerifierKey, openNote, signNote, verifierKeyOf } from '../../shared/log/signed-note.ts'
import type { Verify } from '../../shared/log/signed-note.ts'
import type { SigningKey } from './signing-key.ts'

/** A key that signs notes, such as the checkpoints of the transparency log. */
export interface NoteKey {
  /** Identifies the key in the notes. */
  name: string
  /** The verifier key in the format of signed notes. */
  verifierKey: string
  /** Signs a text that ends with a newline. */
  sign(text: string): string
  /** The text of a note; null if this key did not sign it. */
  open(note: string): string | null
}

/** Characters of the key's id that its name contains. */
const shownOfId = 16

export function noteKeyOf(jwk: SigningKey): NoteKey {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  // Derived from the key and not from the address of the registry, which may change while the key stays the same.
  const key = verifierKeyOf(`skilldock/${jwk.kid.slice(0, shownOfId)}`, Buffer.from(jwk.x, 'base64url'))
  const isSigned: Verify = (_key, message, signature) => verify(null, message, privateKey, signature)
  return {
    name: key.name,
    verifierKey: formatVerifierKey(key),
    sign: (text) => signNote(text, key, (message) => sign(null, message, privateKey)),
    open: (note) => openNote(note, key, isSigned),
  }
}
