import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../shared/errors.ts'
import { ConfigError } from '../settings/config-error.ts'
import { acquireFileLock } from '../db/file-lock.ts'
import type { FileLock } from '../db/file-lock.ts'
import { migrate } from '../db/migrate.ts'
import { makeFolder, replaceFile } from '../../files/durable-files.ts'
import { openConfigured } from '../db/open.ts'
import { logKeyOf } from '../storage/log-checkpoint.ts'
import { createSigningKey, ensureSigningKey, saveSigningKey } from '../storage/signing-key.ts'
import { digestName } from '../storage/local-file-store.ts'
import { markedStorage } from './storage-marker.ts'
import { Refusal } from './refusal.ts'
import { assertRestoreFinished } from './unfinished-restore.ts'
import { texts } from './data-folder.texts.ts'

export interface DataPaths {
  folder: string
  database: string
  packages: string
  pictures: string
  /** A signed record of each release, from which `skilldock rebuild` creates a lost database again. */
  records: string
  signingKey: string
  /** The key of the transparency log, and its last signed checkpoint. */
  logKey: string
  logCheckpoint: string
  backups: string
  /** A cache of the chosen agent project, rebuilt when it is missing. */
  agentsMirror: string
  settings: string
  /** Names the bucket that holds packages and images; missing if they are in the data folder. */
  storage: string
  /** Who this folder is among the machines of a registry; missing if the database is not replicated. */
  replication: string
  /** The databases of a server that follows another one. */
  followed: string
  litestreamConfig: string
  litestreamSocket: string
  running: string
  serverLock: string
  initializationLock: string
  /** Held by the process that fills a mirror. */
  mirrorLock: string
}

export function dataPaths(folder: string): DataPaths {
  return {
    folder,
    database: join(folder, 'skilldock.db'),
    packages: join(folder, 'packages'),
    pictures: join(folder, 'pictures'),
    records: join(folder, 'records'),
    signingKey: join(folder, 'signing-key.json'),
    logKey: join(folder, 'log-key.json'),
    logCheckpoint: join(folder, 'log-checkpoint'),
    backups: join(folder, 'backups'),
    agentsMirror: join(folder, 'agents-mirror.db'),
    settings: join(folder, 'settings.json'),
    storage: join(folder, 'storage.json'),
    replication: join(folder, 'replication.json'),
    followed: join(folder, 'followed'),
    litestreamConfig: join(folder, 'litestream.json'),
    litestreamSocket: join(folder, 'litestream.sock'),
    running: join(folder, 'running.json'),
    serverLock: join(folder, 'server.lock'),
    initializationLock: join(folder, 'initialization.lock'),
    mirrorLock: join(folder, 'mirror.lock'),
  }
}

/** Milliseconds that a second process waits while the first one creates or migrates the folder. */
const initializationWaitMs = 20_000

/**
 * Creates the data folder, its keys and its database unless they exist, and migrates an older database. Safe to
 * call from several processes at the same time (server, app, commands). If a restore did not finish, or only the
 * database is missing, throws a Refusal before creating any of them.
 */
export function initializeDataFolder(paths: DataPaths): void {
  makeWritableFolder(paths)
  const lock = acquireFileLock(paths.initializationLock, initializationWaitMs)
  if (lock === null) throw new Refusal(texts.beingPrepared)
  try {
    assertRestoreFinished(paths)
    assertDatabaseNotLost(paths)
    migrate(paths.database, paths.backups)
    ensureSigningKey(paths.signingKey)
    initializeLog(paths)
  } finally {
    lock.release()
  }
}

/** With a new database, the server would remove all packages and images, because no row refers to them. */
function assertDatabaseNotLost(paths: DataPaths): void {
  const size = statSync(paths.database, { throwIfNoEntry: false })?.size ?? 0
  if (size > 0) return
  const hasFiles =
    markedStorage(paths) !== null ||
    [paths.packages, paths.pictures].some(
      (folder) => existsSync(folder) && readdirSync(folder).some((name) => digestName.test(name)),
    )
  if (hasFiles) throw new Refusal(texts.lostDatabase(paths.folder))
}

/**
 * Creates the key of the transparency log with its first checkpoint, unless there is one. Later, a missing checkpoint is
 * a problem that `skilldock verify` reports, so it must not be replaced.
 */
export function initializeLog(paths: DataPaths): void {
  if (existsSync(paths.logKey)) return
  const key = createSigningKey()
  const connection = openConfigured(paths.database, { timeoutMs: 0 })
  try {
    replaceFile(paths.logCheckpoint, logKeyOf(key).signCheckpoint(connection))
  } finally {
    connection.close()
  }
  // Last, because the checkpoint is replaced as long as there is no key.
  saveSigningKey(paths.logKey, key)
}

/**
 * Creates the data folder if needed. Throws a ConfigError if that fails, or if the folder or a file that every writing
 * command needs is not writable.
 */
export function makeWritableFolder(paths: DataPaths): void {
  const { folder } = paths
  try {
    makeFolder(folder)
  } catch (error) {
    throw new ConfigError(texts.cannotCreate(folder, reasonOf(error)), { cause: error })
  }
  for (const path of [folder, paths.database, paths.initializationLock, paths.serverLock]) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue
      throw new ConfigError(texts.notWritable(folder, path, reasonOf(error)), { cause: error })
    }
  }
}

function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? String(error)
  if (code === 'EROFS') return texts.reasons.readOnly
  return code === 'EACCES' || code === 'EPERM' ? texts.reasons.denied : code
}

/** Another server is using this data folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
}

/** The lock that a data folder's server holds while it runs; null if another server holds it. */
export function lockForServing(paths: DataPaths): FileLock | null {
  return acquireFileLock(paths.serverLock, 0)
}
