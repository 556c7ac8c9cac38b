import type { Reading } from './agents-reader.ts'

interface Kept {
  identity: string
  reading: Reading<Uint8Array>
  bytes: number
}

export interface KeptAnswers {
  /**
   * Gives the answer under this key again while the files are what they were when it was read. `read` gets the identity
   * of those files, and gives null where they are still the same.
   */
  get(
    key: string,
    read: (known: string | null) => Promise<Reading<Uint8Array> | null>,
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

  const keep = (key: string, reading: Reading<Uint8Array>): void => {
    if (reading.state !== 'ready' || reading.identity === null) return
    const kept = { identity: reading.identity, reading, bytes: reading.value.byteLength }
    const former = answers.get(key)
    if (former !== undefined) drop(key, former)
    if (bytes + kept.bytes > mostBytes) return
    answers.set(key, kept)
    bytes += kept.bytes
    setTimeout(drop, keptForMs, key, kept).unref()
  }

  return {
    async get(key, read) {
      const kept = answers.get(key)
      const reading = await read(kept?.identity ?? null)
      if (reading === null) {
        if (kept === undefined) throw new Error('Nothing was known, and nothing was read')
        return kept.reading
      }
      keep(key, reading)
      return reading
    },
  }
}
