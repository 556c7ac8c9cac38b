import { createPrivateKey, sign, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '../../files/durable-files.ts'
import { isSameHash } from '../../shared/log/hashes.ts'
import {
  formatCheckpoint,
  formatVerifierKey,
  openNote,
  parseCheckpoint,
  signNote,
  verifierKeyOf,
} from '../../shared/log/signed-note.ts'
import type { Checkpoint, Verify } from '../../shared/log/signed-note.ts'
import type { Connection } from '../db/database.ts'
import { eventLog } from '../db/log/event-log.ts'
import { readSigningKey } from './signing-key.ts'
import type { SigningKey } from './signing-key.ts'
import { texts } from './log-checkpoint.texts.ts'

/** The log's key, which signs checkpoints. */
export interface LogKey {
  /** The verifier key in the format of signed notes. */
  verifierKey: string
  /** Signs the current state of the log. */
  signCheckpoint(connection: Connection): string
  /** Null if this key did not sign the note. */
  openCheckpoint(note: string): Checkpoint | null
}

/** Characters of the key's id that the origin contains. */
const shownOfId = 16

export function readLogKey(path: string): LogKey {
  return logKeyOf(readSigningKey(path))
}

export function logKeyOf(jwk: SigningKey): LogKey {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  // Derived from the key and not from the address of the registry, which may change while the log stays the same.
  const origin = `skilldock/${jwk.kid.slice(0, shownOfId)}`
  const key = verifierKeyOf(origin, Buffer.from(jwk.x, 'base64url'))
  const isSigned: Verify = (_key, message, signature) => verify(null, message, privateKey, signature)
  return {
    verifierKey: formatVerifierKey(key),
    signCheckpoint(connection) {
      const log = eventLog(connection)
      const size = log.readSize()
      const text = formatCheckpoint({ origin, size, root: log.readRoot(size) })
      return signNote(text, key, (message) => sign(null, message, privateKey))
    },
    openCheckpoint(note) {
      const text = openNote(note, key, isSigned)
      const checkpoint = text === null ? null : parseCheckpoint(text)
      return checkpoint?.origin === origin ? checkpoint : null
    },
  }
}

/** Compares the log with the saved checkpoint, in a time that hardly depends on its size. Null if the log continues it. */
export function compareCheckpoint(path: string, key: LogKey, connection: Connection): string | null {
  if (!existsSync(path)) return texts.missing
  const saved = key.openCheckpoint(readFileSync(path, 'utf8'))
  if (saved === null) return texts.notSigned
  const log = eventLog(connection)
  const size = log.readSize()
  if (size < saved.size) return texts.shorter(size, saved.size)
  return isSameHash(log.readRoot(saved.size), saved.root) ? null : texts.rewritten(saved.size)
}

/** Replaces the saved checkpoint with the current state of the log. */
export function saveCheckpoint(path: string, key: LogKey, connection: Connection): void {
  replaceFile(path, key.signCheckpoint(connection))
}
