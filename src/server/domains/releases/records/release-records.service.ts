import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { eventLog } from '../../../db/log/event-log.ts'
import { createGiveWay } from '../../../operations/give-way.ts'
import type { Logger } from '../../../operations/logging.ts'
import { createRecurringTask } from '../../../operations/recurring-task.ts'
import { logTexts } from '../../../operations/log.texts.ts'
import { readNote, writeNotes } from '../../../storage/note-folder.ts'
import type { NoteFile } from '../../../storage/note-folder.ts'
import type { NoteKey } from '../../../storage/note-key.ts'
import { formatRecord, maxRecordBytes, recordFileName } from './release-record.rules.ts'
import { releaseRecordsRepository } from './release-records.repository.ts'

interface RecordFolder {
  folder: string
  /** Signs the records. */
  key: NoteKey
  /** The name of the transparency log. */
  origin: string
}

interface RecordsParts extends RecordFolder {
  database: Database
  log: Logger
}

/** Entries of the log that are read at once. */
const entriesAtOnce = 200

/** Records that are written at once. A transaction with more leaves them to the background. */
const recordsAtOnce = 32

/** Milliseconds that a transaction waits for its records at most. */
const waitMs = 2000
const endMs = 1000
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
  const giveWay = createGiveWay()
  let position = readPosition({ folder, key, origin })
  let saved = position
  let running: Promise<void> | null = null
  let isFailing = false
  let isEnding = false
  /** Records are read and written one group after the other, so that an older one never replaces a newer one. */
  let last: Promise<void> = Promise.resolve()

  function* outdated(ids: readonly number[]): Generator<NoteFile> {
    for (const id of new Set(ids)) {
      const record = repository.find(id)
      if (record === null) continue
      const note = { name: recordFileName(id), text: formatRecord(record) }
      if (readNote(join(folder, note.name), key, maxRecordBytes) !== note.text) yield note
    }
  }

  const write = (ids: readonly number[]): Promise<void> => {
    const done = last.then(() => {
      database.assertWritable()
      return writeNotes(folder, key, outdated(ids))
    })
    last = done.catch(() => {})
    return done
  }

  /** Writes the records of everything that is in the log and not in the records yet. */
  const catchUp = async (): Promise<void> => {
    // The log never shrinks, so this is another one, which `skilldock verify` reports.
    if (position > entries.readSize()) position = 0
    for (let size = entries.readSize(); position < size; size = entries.readSize()) {
      const end = Math.min(size, position + entriesAtOnce)
      for (const ids of inGroups(repository.listChanged(position, end), recordsAtOnce)) {
        if (isEnding) return
        await write(ids)
        await giveWay()
      }
      position = Math.max(position, end)
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

  const update = (): Promise<void> => {
    running ??= attempt(async () => {
      await catchUp()
      await savePosition()
    }).finally(() => (running = null))
    return running
  }

  /** Writes the records of one transaction, or leaves them to the background if there are many. */
  const follow = async (start: number, end: number): Promise<void> => {
    const [ids = [], more] = [...inGroups(repository.listChanged(start, end), recordsAtOnce, 2)]
    if (more === undefined) {
      await write(ids)
      if (position === start) position = end
    }
    if (position < end) void update()
  }

  const task = createRecurringTask(update, { firstMs: 0, everyMs })
  return {
    start(): void {
      database.onLogged((start, end) =>
        within(
          waitMs,
          attempt(() => follow(start, end)),
        ),
      )
      task.start()
    },

    /** What is still missing after a moment is written after the next start. */
    async end(): Promise<void> {
      await within(endMs, update())
      isEnding = true
      await task.end()
      await running
      await last
      await attempt(savePosition)
    },
  }
}

/** Waits for the work, but no longer than `ms`. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  const limit = delay(ms, undefined, { signal: done.signal }).catch(() => undefined)
  await Promise.race([work, limit])
  done.abort()
}

/** The items in groups of `size`, or only the first `groups` of them. */
function* inGroups(items: Iterable<number>, size: number, groups = Infinity): Generator<number[]> {
  let group: number[] = []
  let made = 0
  for (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
    made += 1
    if (made === groups) return
  }
  if (group.length > 0) yield group
}
