import { createPrivateKey, sign, verify } from 'node:crypto'
import { formatVerifierKey, openNote, signNote, verifierKeyOf } from '../../shared/log/signed-note.ts'
import type { Verify } from '../../shared/log/signed-note.ts'
import type { SigningKey } from './signing-key.ts'

/** Characters of the key's id that its name contains. */
const shownOfId = 16

/** A key that signs notes, such as the checkpoints of the transparency log. */
export function noteKeyOf(jwk: SigningKey) {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  // Derived from the key and not from the address of the registry, which may change while the key stays the same.
  const key = verifierKeyOf(`skilldock/${jwk.kid.slice(0, shownOfId)}`, Buffer.from(jwk.x, 'base64url'))
  const isSigned: Verify = (_key, message, signature) => verify(null, message, privateKey, signature)
  return {
    /** Identifies the key in the notes. */
    name: key.name,
    /** The verifier key in the format of signed notes. */
    verifierKey: formatVerifierKey(key),
    /** Signs a text that ends with a newline. */
    sign: (text: string): string => signNote(text, key, (message) => sign(null, message, privateKey)),
    /** The text of a note; null if this key did not sign it. */
    open: (note: string): string | null => openNote(note, key, isSigned),
  }
}

export type NoteKey = ReturnType<typeof noteKeyOf>
