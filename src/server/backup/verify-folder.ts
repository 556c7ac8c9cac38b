import { existsSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../config.ts'
import type { DataPaths } from '../data-folder.ts'
import type { Connection } from '../db/database.ts'
import { compareVersion, openForInspection } from '../db/inspect.ts'
import { createAuditRepository } from '../domains/releases/audit.repository.ts'
import type { AuditRepository, Counts, UsedDigest } from '../domains/releases/audit.repository.ts'
import { createReleaseRepository } from '../domains/releases/releases.repository.ts'
import { Refusal } from '../refusal.ts'
import { packageName } from './backup-manifest.ts'
import { checkDatabase, checkSigningKey, usedDigests } from './check-database.ts'
import { digestFile, isMissing } from './files.ts'
import { inBytes } from './progress.ts'
import type { OnProblem, OnProgress } from './progress.ts'

export interface VerifyReport {
  onProblem: OnProblem
  onProgress: OnProgress
  /** Hears of a file that no release uses. */
  onOrphan(name: string): void
}

/**
 * Checks a data folder; gives null where its database is too damaged to be read to the end. A server may work in
 * it: each page of rows is one statement, and a package is in place before its row. Throws a Refusal where there is
 * no database, or one of another Skilldock.
 */
export async function verifyFolder(
  paths: DataPaths,
  report: VerifyReport,
): Promise<{ counts: Counts; states: Map<string, number> } | null> {
  if (!existsSync(paths.database)) {
    throw new Refusal(`There is no Skilldock data in ${paths.folder}. Set SKILLDOCK_DATA to the data folder.`)
  }
  checkSettings(paths, report.onProblem)
  checkSigningKey(paths.signingKey, report.onProblem)
  try {
    return await verifyContent(paths, report)
  } catch (error) {
    if (!isSqliteError(error)) throw error
    report.onProblem(`database: it cannot be read to the end: ${error.message}`)
    return null
  }
}

async function verifyContent(
  paths: DataPaths,
  report: VerifyReport,
): Promise<{ counts: Counts; states: Map<string, number> }> {
  const connection = openForInspection(paths.database)
  try {
    assertSameVersion(connection)
    checkDatabase(connection, report.onProblem, report.onProgress)
    const audit = createAuditRepository(connection)
    await checkPackages(paths, audit, report)
    await findOrphans(paths, connection, report)
    return { counts: audit.count(), states: audit.countStatus() }
  } finally {
    connection.close()
  }
}

function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
}

function assertSameVersion(connection: Connection): void {
  const version = compareVersion(connection)
  if (version === 'same') return
  throw new Refusal(
    version === 'newer'
      ? 'The database was written by a newer Skilldock. Verify it with that one.'
      : 'The database was written by an older Skilldock. Start this one once, which brings it up to date, and try again.',
  )
}

function checkSettings(paths: DataPaths, onProblem: OnProblem): void {
  try {
    readConfig({ SKILLDOCK_DATA: paths.folder })
  } catch (error) {
    onProblem(`settings.json: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function checkPackages(
  paths: DataPaths,
  audit: AuditRepository,
  { onProblem, onProgress }: VerifyReport,
): Promise<void> {
  const { packages } = audit.count()
  let done = 0
  let bytes = 0
  for (const used of usedDigests(audit)) {
    // oxlint-disable-next-line no-await-in-loop
    const problem = await checkPackage(join(paths.packages, used.sha256), used)
    if (problem !== null) onProblem(`${packageName(used.sha256)}: the package of ${used.release} ${problem}`)
    done += 1
    bytes += used.size
    onProgress(`packages ${done} of ${packages}, ${inBytes(bytes)}`)
  }
}

async function checkPackage(path: string, used: UsedDigest): Promise<string | null> {
  try {
    const { sha256, size } = await digestFile(path)
    if (size !== used.size) return `has ${size} bytes and not ${used.size}`
    return sha256 === used.sha256 ? null : 'has other bytes than it was published with'
  } catch (error) {
    if (isMissing(error)) return 'is missing'
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** An upload in progress has a temporary name and is none. */
async function findOrphans(
  paths: DataPaths,
  connection: Connection,
  { onOrphan }: VerifyReport,
): Promise<void> {
  if (!existsSync(paths.packages)) return
  const { isDigestUsed } = createReleaseRepository(connection)
  for await (const { name } of await opendir(paths.packages)) {
    if (!name.endsWith('.part') && !isDigestUsed(name)) onOrphan(name)
  }
}
