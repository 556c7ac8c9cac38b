import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64, toBase64 } from './base64.ts'
import { hashBytes, isSameHash } from './hashes.ts'

// Signed notes and verifier keys in the format of the Go checksum database (golang.org/x/mod/sumdb/note), and the
// checkpoints in them (C2SP tlog-checkpoint). Signing and Ed25519 verification are passed in, because the platforms differ.

/** A public key with the name of its owner, and the key hash by which notes refer to both. */
export interface VerifierKey {
  name: string
  keyHash: Uint8Array
  publicKey: Uint8Array
}

/** The state of a log: how many entries it has, and the root of their tree. */
export interface Checkpoint {
  /** The name of the log. */
  origin: string
  size: number
  root: Uint8Array
}

/** Returns the Ed25519 signature. */
type Sign = (message: Uint8Array) => Uint8Array
export type Verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

const keyHashBytes = 4
const publicKeyBytes = 32
const ed25519 = 1
const signaturePrefix = '— '
/** As in Go's package. Limits the work that a hostile note causes. */
const maxSignatures = 100

/** The name must not be empty and must contain neither spaces nor a plus sign. */
const isKeyName = (name: string): boolean => name !== '' && !/[\s\u0085+]/u.test(name)

export function verifierKeyOf(name: string, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name) || publicKey.length !== publicKeyBytes) throw new Error('not a valid name and key')
  const hashed = sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(ed25519), publicKey))
  return { name, keyHash: hashed.slice(0, keyHashBytes), publicKey }
}

/** `NAME+KEYHASH+BASE64`, with the hash in hex and the algorithm before the key. */
export const formatVerifierKey = ({ name, keyHash, publicKey }: VerifierKey): string =>
  `${name}+${bytesToHex(keyHash)}+${toBase64(concatBytes(Uint8Array.of(ed25519), publicKey))}`

/** Null if the text is not a verifier key, or if its key hash is not that of its name and key. */
export function parseVerifierKey(text: string): VerifierKey | null {
  const name = text.slice(0, text.indexOf('+'))
  const data = fromBase64(text.slice(text.indexOf('+', name.length + 1) + 1))
  if (!isKeyName(name) || data === null || data.length !== 1 + publicKeyBytes) return null
  const key = verifierKeyOf(name, data.slice(1))
  return formatVerifierKey(key) === text ? key : null
}

/** `text` must end with a newline. */
export function signNote(text: string, { name, keyHash }: VerifierKey, sign: Sign): string {
  if (!isNoteText(text)) throw new Error('not the text of a note')
  const signature = concatBytes(keyHash, sign(utf8ToBytes(text)))
  return `${text}\n${signaturePrefix}${name} ${toBase64(signature)}\n`
}

/**
 * The text of a note that this key signed. Null if the note is malformed, if the key did not sign it, or if the
 * signature in its name is wrong. Signatures of other keys are ignored.
 */
export function openNote(note: string, key: VerifierKey, verify: Verify): string | null {
  const end = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, end)
  const lines = note.slice(end + 1).split('\n')
  if (!isNoteText(text) || lines.pop() !== '' || lines.length > maxSignatures) return null
  const signatures = lines.map(readSignature)
  if (signatures.includes(null)) return null
  const own = signatures.find((found) => found?.name === key.name && isSameHash(found.keyHash, key.keyHash))
  return own && verify(key.publicKey, utf8ToBytes(text), own.signature) ? text : null
}

function readSignature(line: string): { name: string; keyHash: Uint8Array; signature: Uint8Array } | null {
  const [name = '', encoded = '', ...rest] = line.slice(signaturePrefix.length).split(' ')
  const bytes = fromBase64(encoded)
  if (!line.startsWith(signaturePrefix) || !isKeyName(name) || rest.length > 0) return null
  if (bytes === null || bytes.length <= keyHashBytes) return null
  return { name, keyHash: bytes.slice(0, keyHashBytes), signature: bytes.slice(keyHashBytes) }
}

const isNoteText = (text: string): boolean => text.endsWith('\n') && !/[^\n\P{Cc}]/u.test(text)

/** The text of a note. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`

export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', digits = '', encoded = ''] = text.split('\n')
  const root = fromBase64(encoded)
  const size = Number(digits)
  if (origin === '' || !Number.isSafeInteger(size) || size < 0 || root?.length !== hashBytes) return null
  const checkpoint = { origin, size, root }
  return formatCheckpoint(checkpoint) === text ? checkpoint : null
}
