import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { eventLog } from '../../../db/log/event-log.ts'
import type { Logger } from '../../../operations/logging.ts'
import { createRecurringTask } from '../../../operations/recurring-task.ts'
import { logTexts } from '../../../operations/log.texts.ts'
import { readNote, writeNotes } from '../../../storage/note-folder.ts'
import type { NoteFile } from '../../../storage/note-folder.ts'
import type { NoteKey } from '../../../storage/note-key.ts'
import { formatRecord, recordFileName } from './release-record.rules.ts'
import { releaseRecordsRepository } from './release-records.repository.ts'

export interface RecordFolder {
  folder: string
  /** Signs the records. */
  key: NoteKey
  /** The name of the transparency log. */
  origin: string
}

export interface RecordsParts extends RecordFolder {
  database: Database
  log: Logger
}

/** Entries of the log that are read at once. */
const entriesAtOnce = 200

/** Milliseconds that a transaction waits for its records at most. */
const waitMs = 2000
const everyMs = 30_000

/** How many entries of which log are in the records. */
const positionSchema = z.strictObject({ log: z.string(), entries: z.int().min(0) })
const positionName = 'position.note'
const maxPositionBytes = 1000

/**
 * Entries of the log that are in the records. 0 if they were written for another log or signed with another key, so that
 * all are written again. Saved from time to time, so the records may contain more.
 */
export function readPosition({ folder, key, origin }: RecordFolder): number {
  try {
    const text = readNote(join(folder, positionName), key, maxPositionBytes)
    const position = positionSchema.parse(JSON.parse(text ?? ''))
    return position.log === origin ? position.entries : 0
  } catch {
    return 0
  }
}

/**
 * Keeps a signed record of each release beside the packages, from which `skilldock rebuild` creates a lost database
 * again. The records follow the transparency log: every change of a release adds an entry, so a record that a killed
 * process did not write is written at the next start.
 */
export function createReleaseRecords({ database, folder, key, origin, log }: RecordsParts) {
  const repository = releaseRecordsRepository(database.reader)
  const entries = eventLog(database.reader)
  let position = readPosition({ folder, key, origin })
  let saved = position
  let running: Promise<void> | null = null
  let isFailing = false

  function* changedRecords(end: number): Generator<NoteFile> {
    for (const id of repository.listChanged(position, end)) {
      const record = repository.find(id)
      if (record !== null) yield { name: recordFileName(id), text: formatRecord(record) }
    }
  }

  const step = async (): Promise<void> => {
    database.assertWritable()
    const end = Math.min(entries.readSize(), position + entriesAtOnce)
    await writeNotes(folder, key, changedRecords(end))
    position = end
  }

  const follow = async (): Promise<void> => {
    const size = entries.readSize()
    // The log never shrinks, so this is another one, which `skilldock verify` reports.
    if (position > size) position = 0
    const isBehind = (): boolean => position < size
    while (isBehind()) {
      running ??= step().finally(() => (running = null))
      // oxlint-disable-next-line no-await-in-loop
      await running
    }
  }

  const savePosition = async (): Promise<void> => {
    if (position === saved) return
    const entriesNow = position
    const text = `${JSON.stringify({ log: origin, entries: entriesNow })}\n`
    await writeNotes(folder, key, [{ name: positionName, text }])
    saved = entriesNow
  }

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      // A full disk fails every transaction.
      if (!isFailing) log.warn({ err: error }, logTexts.recordsNotWritten)
      isFailing = true
    }
  }

  const update = (): Promise<void> =>
    attempt(async () => {
      await follow()
      await savePosition()
    })

  const task = createRecurringTask(update, { firstMs: 0, everyMs })
  return {
    start(): void {
      database.onLogged(async () => {
        const written = new AbortController()
        const limit = delay(waitMs, undefined, { signal: written.signal }).catch(() => undefined)
        await Promise.race([attempt(follow), limit])
        written.abort()
      })
      task.start()
    },

    /** Writes what is missing. */
    async end(): Promise<void> {
      await task.end()
      await update()
    },
  }
}

export type ReleaseRecords = ReturnType<typeof createReleaseRecords>
