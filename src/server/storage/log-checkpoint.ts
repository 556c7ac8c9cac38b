import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { replaceFiles } from '../../files/durable-files.ts'
import { isSameHash } from '../../shared/log/hashes.ts'
import { formatCheckpoint, parseCheckpoint } from '../../shared/log/signed-note.ts'
import type { Checkpoint } from '../../shared/log/signed-note.ts'
import type { Connection } from '../db/database.ts'
import { eventLog } from '../db/log/event-log.ts'
import { noteKeyOf } from './note-key.ts'
import { readSigningKey } from './signing-key.ts'
import type { SigningKey } from './signing-key.ts'
import { texts } from './log-checkpoint.texts.ts'

export function readLogKey(path: string): LogKey {
  return logKeyOf(readSigningKey(path))
}

/** The log's key, which signs checkpoints. */
export function logKeyOf(jwk: SigningKey) {
  const { name: origin, verifierKey, sign, open } = noteKeyOf(jwk)
  return {
    /** The name of the log in its checkpoints. */
    origin,
    /** The verifier key in the format of signed notes. */
    verifierKey,
    /** Signs the current state of the log. */
    signCheckpoint(connection: Connection): string {
      const log = eventLog(connection)
      const size = log.readSize()
      return sign(formatCheckpoint({ origin, size, root: log.readRoot(size) }))
    },
    /** Null if this key did not sign the note. */
    openCheckpoint(note: string): Checkpoint | null {
      const text = open(note)
      const checkpoint = text === null ? null : parseCheckpoint(text)
      return checkpoint?.origin === origin ? checkpoint : null
    },
  }
}

export type LogKey = ReturnType<typeof logKeyOf>

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
export async function saveCheckpoint(path: string, key: LogKey, connection: Connection): Promise<void> {
  await replaceFiles(dirname(path), [{ name: basename(path), contents: key.signCheckpoint(connection) }])
}
