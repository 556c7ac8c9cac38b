import { stat } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import type { Reading } from './agents-reader.ts'
import { identityOf } from './project-files.ts'

interface Kept {
  identity: string
  reading: Reading<Uint8Array>
  bytes: number
}

export interface KeptAnswers {
  /** The answer under this key while the database is what it was when that was read; else what `read` gives. */
  get(
    key: string,
    file: string | null,
    read: () => Promise<Reading<Uint8Array>>,
  ): Promise<Reading<Uint8Array>>
}

/** Milliseconds: a network's file system may tell of a change as late as that. */
const keptForMs = 1000
const mostBytes = 32 * 1024 * 1024

/** Keeps answers for whoever asks for the same thing again, as a page of many charts and several programs do. */
export function createKeptAnswers(): KeptAnswers {
  const answers = new Map<string, Kept>()
  let bytes = 0

  const drop = (key: string, kept: Kept): void => {
    if (answers.get(key) !== kept) return
    answers.delete(key)
    bytes -= kept.bytes
  }

  const keep = (key: string, file: string, reading: Reading<Uint8Array>): void => {
    if (reading.state !== 'ready' || reading.identity === null) return
    const kept = { identity: `${file} ${reading.identity}`, reading, bytes: reading.value.byteLength }
    const former = answers.get(key)
    if (former !== undefined) drop(key, former)
    if (bytes + kept.bytes > mostBytes) return
    answers.set(key, kept)
    bytes += kept.bytes
    setTimeout(drop, keptForMs, key, kept).unref()
  }

  return {
    async get(key, file, read) {
      if (file === null) return read()
      const kept = answers.get(key)
      // Without one the files need not be looked at here: the read does.
      if (kept !== undefined && kept.identity === `${file} ${await identityNow(file)}`) return kept.reading
      const reading = await read()
      keep(key, file, reading)
      return reading
    },
  }
}

async function identityNow(file: string): Promise<string> {
  const [main, wal] = await Promise.all([statOf(file), statOf(`${file}-wal`)])
  return identityOf({ main, wal })
}

async function statOf(path: string): Promise<BigIntStats | null> {
  try {
    return await stat(path, { bigint: true })
  } catch {
    return null
  }
}
