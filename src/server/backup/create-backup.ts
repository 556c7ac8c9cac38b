import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { codeOf } from '../../shared/errors.ts'
import { moveFile } from '../../files/durable-files.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { compareVersion, openForInspection } from '../db/inspect.ts'
import { snapshotDatabase } from '../db/snapshot.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { assertRegistry } from '../data-folder/unfinished-restore.ts'
import { createArchive, WrongSizeError } from './archive-writer.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { databaseName, manifestName, optionalFiles, signingKeyName, writeManifest } from './backup-format.ts'
import type { BackupContent, BackupFile } from './backup-format.ts'
import { digestFile, drain, readPieces } from './files.ts'
import type { OnProgress } from './progress.ts'
import { countAll, createFileProgress, storedFiles, storedSource } from './stored-files.ts'
import type { AllCounts, StoredFile } from './stored-files.ts'
import { makeWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

interface Backup {
  counts: AllCounts
  /** Bytes. */
  size: number
}

/**
 * Prepares a backup of the data folder to the new file `target`. The database is copied first, as a snapshot. The
 * snapshot's packages all stay available, since a running server only adds packages. An image that is deleted in the
 * meantime aborts the backup. Throws a Refusal if there is nothing to back up or the target is not usable.
 */
export function prepareBackup(paths: DataPaths, target: string, onProgress: OnProgress) {
  const file = resolve(target)
  assertRegistry(paths)
  assertFree(file)
  if (!existsSync(dirname(file))) {
    throw new Refusal(`The folder ${dirname(file)} does not exist. Create it first.`)
  }
  let work: WorkFolder | null = null
  return {
    async run(): Promise<Backup> {
      // Next to the target, to be on the same disk; only its owner can read it.
      work = makeWorkFolder(dirname(file), '.skilldock-backup-')
      const written = await writeBackup(paths, work.path, onProgress)
      const { size } = await stat(written.archive)
      assertFree(file)
      await moveFile(written.archive, file)
      return { counts: written.counts, size }
    },
    /** Removes the task's temporary files. Safe to call again. */
    abandon(): void {
      work?.remove()
    },
  }
}

function assertFree(file: string): void {
  if (existsSync(file)) throw new Refusal(`${file} already exists. Choose another name.`)
}

async function writeBackup(
  paths: DataPaths,
  work: string,
  onProgress: OnProgress,
): Promise<{ archive: string; counts: AllCounts }> {
  const createdAt = new Date()
  // Before the database, which then continues this checkpoint.
  const optional = await Promise.all(
    optionalFiles.map(async ([name, key]) => [name, await readSmall(paths[key])] as const),
  )
  const copy = join(work, databaseName)
  await snapshotDatabase(paths.database, copy, (done, total) =>
    onProgress(`database ${done} of ${total} pages`),
  )
  const key = await readSmall(paths.signingKey)
  if (key === null)
    throw new Refusal(
      'signing-key.json is missing, and without it no token could be verified after a restore. Restore the file from ' +
        'an earlier backup, or start the server to create a new key, which invalidates all tokens.',
    )
  const connection = openForInspection(copy)
  const archive = join(work, 'archive.tar')
  const writer = await createArchive(archive, Math.floor(createdAt.getTime() / 1000))
  try {
    assertKnown(connection)
    const counts = countAll(connection)
    const content: BackupContent = {
      format: 'skilldock-backup',
      formatVersion: 3,
      createdAt: createdAt.toISOString(),
      files: {
        [databaseName]: await digestFile(copy),
        [signingKeyName]: await drain(once(key)),
        ...(await digestsOf(optional)),
      },
      counts,
    }
    const manifest = Buffer.from(writeManifest(content))
    await writer.add(manifestName, manifest.length, once(manifest))
    await writer.add(databaseName, content.files[databaseName].size, readPieces(copy))
    await writer.add(signingKeyName, key.length, once(key))
    for (const [name, bytes] of optional) {
      if (bytes !== null) await writer.add(name, bytes.length, once(bytes))
    }
    const reportFile = createFileProgress(counts, onProgress)
    const source = await storedSource(paths)
    for (const file of storedFiles(connection)) {
      // One file at a time: memory stays constant, however many there are.
      await addFile(writer, source.read(file), file)
      reportFile(file)
    }
    await writer.finish()
    return { archive, counts }
  } finally {
    await writer.close()
    connection.close()
  }
}

function assertKnown(connection: ReturnType<typeof openForInspection>): void {
  const version = compareVersion(connection)
  if (version === 'same') return
  throw new Refusal(
    version === 'newer'
      ? 'The database was written by a newer Skilldock. Create the backup with that version.'
      : 'The database was written by an older Skilldock. Start this version once to update it, and try again.',
  )
}

/** The content of a small file, or null if it doesn't exist. */
async function readSmall(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function digestsOf<Name extends string>(
  files: readonly (readonly [Name, Buffer | null])[],
): Promise<Partial<Record<Name, BackupFile>>> {
  const digests: Partial<Record<Name, BackupFile>> = {}
  for (const [name, bytes] of files) {
    if (bytes !== null) digests[name] = await drain(once(bytes))
  }
  return digests
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}

/** Adds a file; a damaged one aborts the backup, since the backup could not be restored. */
async function addFile(writer: ArchiveWriter, bytes: AsyncIterable<Buffer>, file: StoredFile): Promise<void> {
  const { name, what } = file
  let sha256: string | null = null
  let damage = 'has changed'
  try {
    sha256 = await writer.add(name, file.size, bytes)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') damage = 'is missing'
    else if (!(error instanceof WrongSizeError)) throw error
  }
  if (sha256 === file.sha256) return
  if (file.folder === 'pictures' && damage === 'is missing') {
    throw new Refusal(
      `${name}: the image is missing, so no backup was written. If it was deleted while the backup was being ` +
        'made, try again. "skilldock verify" lists all problems.',
    )
  }
  throw new Refusal(
    `${name}: ${what} ${damage}, so no backup was written. Restore the file from an earlier backup, which is a ` +
      'plain tar archive. "skilldock verify" lists all problems.',
  )
}
