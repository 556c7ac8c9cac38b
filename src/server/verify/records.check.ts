import { existsSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Connection } from '../db/database.ts'
import {
  formatRecord,
  maxRecordBytes,
  parseRecord,
  recordFileName,
  releaseOfRecord,
} from '../domains/releases/records/release-record.rules.ts'
import { releaseRecordsRepository } from '../domains/releases/records/release-records.repository.ts'
import { readPosition } from '../domains/releases/records/release-records.service.ts'
import { readLogKey } from '../storage/log-checkpoint.ts'
import { readNote, writeNotes } from '../storage/note-folder.ts'
import type { NoteFile } from '../storage/note-folder.ts'
import { noteKeyOf } from '../storage/note-key.ts'
import type { NoteKey } from '../storage/note-key.ts'
import { readSigningKey } from '../storage/signing-key.ts'
import type { OnFound } from './run-checks.ts'

const idsAtOnce = 500

/**
 * Compares the signed record of each release with the database. A server may be writing both: a record may be missing or
 * outdated if the last change of its release is not among the entries of the log that are known to be in the records. A
 * `repair` takes effect with the returned function, which writes the records again.
 */
export async function checkRecords(
  paths: DataPaths,
  connection: Connection,
  onFound: OnFound,
): Promise<() => Promise<void>> {
  const keys = existsSync(paths.records) ? readKeys(paths) : null
  if (keys === null) return () => Promise.resolve()
  const { key, origin } = keys
  const position = readPosition({ folder: paths.records, key, origin })
  const repository = releaseRecordsRepository(connection)
  const read = (id: number): string | null =>
    readNote(join(paths.records, recordFileName(id)), key, maxRecordBytes)
  const again: number[] = []

  for (const id of idsOf(repository.listIds)) {
    // The server writes the row first.
    const stored = read(id)
    const record = repository.find(id)
    if (record === null || stored === formatRecord(record)) continue
    if (repository.findLastChange(id) >= position) continue
    const problem =
      stored === null ? 'is missing or not signed by this registry' : 'differs from the database'
    onFound({
      problem: `records/${recordFileName(id)}: the record of ${record.name} ${record.version} ${problem}`,
      repair: () => again.push(id),
    })
  }
  for await (const { name } of await opendir(paths.records)) {
    const id = releaseOfRecord(name)
    if (id === null || repository.exists(id)) continue
    const record = parseRecord(read(id) ?? '')
    if (record === null) continue
    onFound({ problem: `records/${name}: ${record.name} ${record.version} is not in the database` })
  }

  function* notes(): Generator<NoteFile> {
    for (const id of again) {
      const record = repository.find(id)
      if (record !== null) yield { name: recordFileName(id), text: formatRecord(record) }
    }
  }
  return () => writeNotes(paths.records, key, notes())
}

/** Null if a key is missing or damaged, which is a problem of its own. */
function readKeys(paths: DataPaths): { key: NoteKey; origin: string } | null {
  try {
    return { key: noteKeyOf(readSigningKey(paths.signingKey)), origin: readLogKey(paths.logKey).origin }
  } catch {
    return null
  }
}

function* idsOf(list: (after: number, limit: number) => number[]): Generator<number> {
  for (let page = list(0, idsAtOnce); page.length > 0; page = list(page.at(-1) ?? 0, idsAtOnce)) yield* page
}
