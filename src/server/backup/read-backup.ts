import { mkdirSync } from 'node:fs'
import { openForInspection } from '../db/inspect.ts'
import { migrate } from '../db/migrate.ts'
import { verifyReleasesRepository } from '../domains/releases/history/verify-releases.repository.ts'
import { initializeLog } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { openArchive } from './archive-reader.ts'
import type { ArchiveReader } from './archive-reader.ts'
import {
  databaseName,
  manifestName,
  maxManifestBytes,
  readManifest,
  optionalFiles,
  signingKeyName,
} from './backup-format.ts'
import type { BackupContent, BackupFile } from './backup-format.ts'
import { checkDatabase } from '../verify/database-checks.ts'
import type { OnFound } from '../verify/run-checks.ts'
import { checkLog } from './check-log.ts'
import { checkSigningKey } from './check-signing-key.ts'
import { drain, saveFile } from './files.ts'
import type { OnProgress } from './progress.ts'
import { countAll, pathOf, createFileProgress, storedFiles } from './stored-files.ts'
import type { AllCounts, StoredFile } from './stored-files.ts'

interface ReadOptions {
  /** Where to extract: a new folder with the layout of a data folder. */
  work: DataPaths
  /** Whether to extract packages and images, or only check them. */
  keepFiles: boolean
  onFound: OnFound
  onProgress: OnProgress
}

export interface ReadBackup {
  createdAt: string
  counts: AllCounts
  states: Map<string, number>
}

/**
 * Reads and checks a complete backup. Throws a Refusal that names the entry in which a byte was changed; problems
 * inside intact entries go to `onFound`. The database of an older Skilldock is migrated in `work`.
 */
export async function readBackup(file: string, options: ReadOptions): Promise<ReadBackup> {
  const { work, onFound, onProgress } = options
  const archive = await openArchive(file)
  try {
    const first = await archive.readFirst(manifestName, maxManifestBytes)
    const content = readManifest(first.bytes)
    await extractFiles(archive, content, first.mtime, work)
    checkSigningKey(work.signingKey, (problem) => onFound({ problem }))
    migrate(work.database, work.backups)
    initializeLog(work)
    const connection = openForInspection(work.database)
    try {
      checkDatabase(connection, null, { onFound, onProgress })
      checkLog(work, connection, (problem) => onFound({ problem }))
      const counts = countAll(connection)
      const reportFile = createFileProgress(counts, onProgress)
      mkdirSync(work.packages, { mode: 0o700 })
      mkdirSync(work.pictures, { mode: 0o700 })
      for (const stored of storedFiles(connection)) {
        await extractStored(archive, stored, first.mtime, options)
        reportFile(stored)
      }
      await archive.readEnd()
      return {
        createdAt: content.createdAt,
        counts,
        states: verifyReleasesRepository(connection).countStatus(),
      }
    } finally {
      connection.close()
    }
  } finally {
    await archive.close()
  }
}

async function extractFiles(
  archive: ArchiveReader,
  { files }: BackupContent,
  mtime: number,
  work: DataPaths,
): Promise<void> {
  const extract = async (name: string, path: string, expected: BackupFile): Promise<void> => {
    const { sha256 } = await saveFile(path, archive.read({ name, size: expected.size, mtime }))
    assertDigest(name, sha256, expected.sha256)
  }
  await extract(databaseName, work.database, files[databaseName])
  await extract(signingKeyName, work.signingKey, files[signingKeyName])
  for (const [name, key] of optionalFiles) {
    const file = files[name]
    if (file !== undefined) await extract(name, work[key], file)
  }
}

async function extractStored(
  archive: ArchiveReader,
  file: StoredFile,
  mtime: number,
  { work, keepFiles }: ReadOptions,
): Promise<void> {
  const { name, size } = file
  const source = archive.read({ name, size, mtime })
  const { sha256 } = keepFiles ? await saveFile(pathOf(work, file), source) : await drain(source)
  assertDigest(name, sha256, file.sha256)
}

function assertDigest(name: string, found: string, expected: string): void {
  if (found !== expected) throw new Refusal(`${name}: its content has been changed`)
}
