import { codeOf, messageOf } from '../../shared/errors.ts'
import { readConfig } from '../settings/config.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import type { Connection } from '../db/database.ts'
import { compareVersion, openForInspection } from '../db/inspect.ts'
import { verifyReleasesRepository } from '../domains/releases/history/verify-releases.repository.ts'
import { releaseRepository } from '../domains/releases/releases.repository.ts'
import { imageRepository } from '../domains/uploads/images.repository.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { assertRegistry } from '../data-folder/unfinished-restore.ts'
import { isSqliteError } from '../verify/run-checks.ts'
import type { OnFound } from '../verify/run-checks.ts'
import { checkDatabase } from '../verify/database-checks.ts'
import { checkRecords } from '../verify/records.check.ts'
import { checkLog } from './check-log.ts'
import { checkSigningKey } from './check-signing-key.ts'
import { drain } from './files.ts'
import type { OnProblem, OnProgress } from './progress.ts'
import { countAll, createFileProgress, storedFiles, storedSource } from './stored-files.ts'
import type { AllCounts, StoredFile, StoredSource } from './stored-files.ts'

export interface VerifyReport {
  onFound: OnFound
  onProgress: OnProgress
  /** Called with each file that no row refers to, as `folder/name`. */
  onOrphan(name: string): void
}

/**
 * Checks a data folder; returns null if its database is too damaged to be read completely. A server may be using the
 * folder: each page of rows is one statement, and a package is in place before its row. Throws a Refusal if there is no
 * database, or one of another version.
 */
export async function verifyFolder(
  paths: DataPaths,
  report: VerifyReport,
): Promise<{ counts: AllCounts; states: Map<string, number> } | null> {
  checkSettings(paths, (problem) => report.onFound({ problem }))
  return verifyData(paths, report)
}

/** The same without the settings, which may depend on the environment of the server. */
export async function verifyData(
  paths: DataPaths,
  report: VerifyReport,
): Promise<{ counts: AllCounts; states: Map<string, number> } | null> {
  assertRegistry(paths)
  const onProblem: OnProblem = (problem) => report.onFound({ problem })
  checkSigningKey(paths.signingKey, onProblem)
  try {
    return await verifyContent(paths, report)
  } catch (error) {
    if (!isSqliteError(error)) throw error
    onProblem(`database: it cannot be read completely: ${error.message}`)
    return null
  }
}

async function verifyContent(
  paths: DataPaths,
  report: VerifyReport,
): Promise<{ counts: AllCounts; states: Map<string, number> }> {
  const connection = openForInspection(paths.database)
  try {
    assertSameVersion(connection)
    checkDatabase(connection, paths.pictures, report)
    checkLog(paths, connection, (problem) => report.onFound({ problem }))
    const source = await storedSource(paths)
    await checkFiles(source, connection, report)
    await findOrphans(source, connection, report)
    await checkRecords(paths, connection, report.onFound)
    return { counts: countAll(connection), states: verifyReleasesRepository(connection).countStatus() }
  } finally {
    connection.close()
  }
}

function assertSameVersion(connection: Connection): void {
  const version = compareVersion(connection)
  if (version === 'same') return
  throw new Refusal(
    version === 'newer'
      ? 'The database was written by a newer Skilldock. Verify it with that version.'
      : 'The database was written by an older Skilldock. Start this version once to update it, and try again.',
  )
}

/** Checks that settings.json can be read and every value in it is valid. */
function checkSettings(paths: DataPaths, onProblem: OnProblem): void {
  try {
    readConfig({ SKILLDOCK_DATA: paths.folder })
  } catch (error) {
    onProblem(`settings.json: ${messageOf(error)}`)
  }
}

async function checkFiles(
  source: StoredSource,
  connection: Connection,
  { onFound, onProgress }: VerifyReport,
): Promise<void> {
  const reportFile = createFileProgress(countAll(connection), onProgress)
  for (const file of storedFiles(connection)) {
    const problem = await checkFile(source, file)
    if (problem !== null) onFound({ problem: `${file.name}: ${file.what} ${problem}` })
    reportFile(file)
  }
}

async function checkFile(source: StoredSource, file: StoredFile): Promise<string | null> {
  try {
    const { sha256, size } = await drain(source.read(file))
    if (size !== file.size) return `has ${size} bytes instead of ${file.size}`
    if (sha256 === file.sha256) return null
    return `has changed since it was ${file.folder === 'packages' ? 'submitted' : 'uploaded'}`
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'is missing'
    return `cannot be read: ${messageOf(error)}`
  }
}

/** Reports unused files. */
async function findOrphans(
  source: StoredSource,
  connection: Connection,
  { onOrphan }: VerifyReport,
): Promise<void> {
  const isUsed = {
    packages: releaseRepository(connection).isDigestUsed,
    pictures: imageRepository(connection).isStored,
  }
  for (const folder of ['packages', 'pictures'] as const) {
    for await (const name of source.list(folder)) {
      if (!isUsed[folder](name)) onOrphan(`${folder}/${name}`)
    }
  }
}
