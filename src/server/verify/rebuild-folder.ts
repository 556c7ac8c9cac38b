import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../shared/errors.ts'
import { makeFolder, moveFile } from '../../files/durable-files.ts'
import { drain } from '../backup/files.ts'
import type { OnProgress } from '../backup/progress.ts'
import { storedSource } from '../backup/stored-files.ts'
import type { StoredSource } from '../backup/stored-files.ts'
import { makeWorkFolder } from '../backup/work-folder.ts'
import type { WorkFolder } from '../backup/work-folder.ts'
import {
  FolderInUseError,
  dataPaths,
  initializeLog,
  lockForServing,
  makeWritableFolder,
} from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { assertRestoreFinished } from '../data-folder/unfinished-restore.ts'
import { openDatabase } from '../db/database.ts'
import type { Database } from '../db/database.ts'
import { acquireFileLock } from '../db/file-lock.ts'
import { findDamage, openForInspection } from '../db/inspect.ts'
import { migrate } from '../db/migrate.ts'
import { verifyReleasesRepository } from '../domains/releases/history/verify-releases.repository.ts'
import {
  maxRecordBytes,
  mirrorIssuer,
  parseRecord,
  recordFileName,
  releaseOfRecord,
} from '../domains/releases/records/release-record.rules.ts'
import type { ReleaseRecord } from '../domains/releases/records/release-record.rules.ts'
import { releaseRepository } from '../domains/releases/releases.repository.ts'
import { digestName } from '../storage/local-file-store.ts'
import { readNote } from '../storage/note-folder.ts'
import { noteKeyOf } from '../storage/note-key.ts'
import type { NoteKey } from '../storage/note-key.ts'
import { readSigningKey } from '../storage/signing-key.ts'
import { createAddition } from './add-record.ts'
import { isSqliteError } from './run-checks.ts'
import { checkDatabase } from './database-checks.ts'
import { rebuildTexts as texts } from './rebuild.texts.ts'

interface RebuildReport {
  onProgress: OnProgress
  /** Called with what could not be rebuilt. */
  onLost(what: string): void
}

interface Rebuilt {
  /** The number of releases in each status. */
  states: Map<string, number>
  /** The folder with everything that was replaced or is no longer used. */
  aside: string
}

/** Releases per transaction. */
const releasesAtOnce = 100

/**
 * Prepares the creation of a lost or damaged database from the signed records of releases. Only what is signed by this
 * registry is used, so nothing becomes approved that was not. The new database is built in a subfolder and moved into
 * place once `verify` finds nothing in it; nothing is deleted. Throws a Refusal if the database is intact or nothing can
 * be rebuilt, and FolderInUseError while a server is running.
 */
export function prepareRebuild(paths: DataPaths, report: RebuildReport) {
  makeWritableFolder(paths)
  const lock = lockForServing(paths)
  if (lock === null) throw new FolderInUseError(texts.inUse(paths.folder))
  // Commands that would create a new database wait until the rebuilt one is in place.
  const initialization = acquireFileLock(paths.initializationLock, 1000)
  let work: WorkFolder | null = null
  return {
    async run(): Promise<Rebuilt> {
      if (initialization === null) throw new FolderInUseError(texts.inUse(paths.folder))
      assertRestoreFinished(paths)
      assertDamaged(paths)
      const ids = listRecords(paths)
      if (ids.length === 0) throw new Refusal(texts.noRecords(paths.folder))
      const key = readKey(paths)
      work = makeWorkFolder(paths.folder, '.rebuild-')
      const built = dataPaths(work.path)
      migrate(built.database, built.backups)
      const database = openDatabase(built.database)
      try {
        const files = await storedSource(paths)
        await fillDatabase(database, ids, { paths, key, files, report })
        checkDatabase(database.reader, null, {
          onProgress: report.onProgress,
          onFound({ problem }) {
            throw new Refusal(texts.notBuilt(problem))
          },
        })
        const states = verifyReleasesRepository(database.reader).countStatus()
        const unused = await findUnused(files, database, ids)
        database.close()
        return { states, aside: await replaceDatabase(paths, built, { files, unused, report }) }
      } finally {
        database.close()
      }
    },
    /** Removes the task's temporary files. Safe to call again. */
    abandon(): void {
      work?.remove()
      initialization?.release()
      lock.release()
    },
  }
}

function assertDamaged(paths: DataPaths): void {
  const size = statSync(paths.database, { throwIfNoEntry: false })?.size ?? 0
  if (size > 0 && isIntact(paths)) throw new Refusal(texts.intact(paths.folder))
}

function isIntact(paths: DataPaths): boolean {
  try {
    const connection = openForInspection(paths.database)
    try {
      return findDamage(connection).length === 0
    } finally {
      connection.close()
    }
  } catch (error) {
    if (isSqliteError(error)) return false
    throw error
  }
}

function readKey(paths: DataPaths): NoteKey {
  try {
    return noteKeyOf(readSigningKey(paths.signingKey))
  } catch (error) {
    throw new Refusal(texts.noKey, { cause: error })
  }
}

/** The releases that have a record, in the order of their submission. */
function listRecords(paths: DataPaths): number[] {
  if (!existsSync(paths.records)) return []
  return readdirSync(paths.records)
    .map(releaseOfRecord)
    .filter((id) => id !== null)
    .toSorted((a, b) => a - b)
}

interface Source {
  paths: DataPaths
  key: NoteKey
  files: StoredSource
  report: RebuildReport
}

async function fillDatabase(database: Database, ids: readonly number[], source: Source): Promise<void> {
  const add = createAddition(database)
  for (let start = 0; start < ids.length; start += releasesAtOnce) {
    const page: { id: number; record: ReleaseRecord }[] = []
    for (const id of ids.slice(start, start + releasesAtOnce)) {
      // One package at a time: memory stays constant.
      const found = await readRecord(id, source)
      if (typeof found === 'string') source.report.onLost(`records/${recordFileName(id)}: ${found}`)
      else page.push({ id, record: found })
    }
    await database.transact(() => {
      for (const { id, record } of page) {
        const problem = add(record)
        if (problem !== null) source.report.onLost(`records/${recordFileName(id)}: ${problem}`)
      }
    })
    source.report.onProgress(`releases ${Math.min(start + releasesAtOnce, ids.length)} of ${ids.length}`)
  }
}

/** A trusted record whose package is intact, or why it cannot be used. */
async function readRecord(id: number, { paths, key, files }: Source): Promise<ReleaseRecord | string> {
  const text = readNote(join(paths.records, recordFileName(id)), key, maxRecordBytes)
  if (text === null) return texts.record.notSigned
  const record = parseRecord(text)
  if (record === null) return texts.record.otherFormat
  if (record.id !== id) return texts.record.otherRelease(record.id)
  const release = `${record.name} ${record.version}`
  // A registry must not sign decisions that were made elsewhere.
  if (record.owner.issuer === mirrorIssuer) return texts.record.mirrored(release)
  try {
    const { sha256 } = await drain(files.read({ folder: 'packages', sha256: record.sha256 }))
    return sha256 === record.sha256 ? record : texts.record.packageChanged(release)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return texts.record.packageMissing(release)
    throw error
  }
}

/** Files that the new database does not refer to. */
interface Unused {
  packages: string[]
  records: string[]
}

async function findUnused(files: StoredSource, database: Database, ids: readonly number[]): Promise<Unused> {
  const { isDigestUsed, findById } = releaseRepository(database.reader)
  const records = ids.filter((id) => findById(id) === null).map(recordFileName)
  const packages: string[] = []
  for await (const name of files.list('packages')) {
    if (digestName.test(name) && !isDigestUsed(name)) packages.push(name)
  }
  return { packages, records }
}

/**
 * Puts the new database in place. What it does not refer to is moved aside first, because the server removes unused
 * files. The rebuilt log is another one, so it gets another key. After a crash, either the database is missing and the
 * rebuild can be repeated, or the next start creates the key.
 */
async function replaceDatabase(
  paths: DataPaths,
  built: DataPaths,
  { files, unused, report }: { files: StoredSource; unused: Unused; report: RebuildReport },
): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const aside = dataPaths(join(paths.folder, `before-rebuild-${time}`))
  const move = async (from: string, to: string): Promise<void> => {
    if (existsSync(from)) await moveFile(from, to)
  }
  for (const part of ['packages', 'records'] as const) {
    makeFolder(aside[part])
    for (const name of unused[part]) {
      const path = join(aside[part], name)
      await (part === 'records'
        ? move(join(paths[part], name), path)
        : files.setAside({ folder: part, sha256: name }, path))
    }
  }
  if (unused.packages.length > 0) report.onLost(texts.lost.packages(unused.packages.length))
  // Images are not in the records.
  await files.setAsideAll('pictures', aside.pictures)
  for (const ending of ['', '-wal', '-shm']) {
    await move(`${paths.database}${ending}`, `${aside.database}${ending}`)
  }
  await move(paths.logCheckpoint, aside.logCheckpoint)
  await move(paths.logKey, aside.logKey)
  await moveFile(built.database, paths.database)
  initializeLog(paths)
  report.onLost(texts.lost.always)
  return aside.folder
}
