import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { acquireFileLock } from './db/file-lock.ts'
import type { FileLock } from './db/file-lock.ts'
import { migrate } from './db/migrate.ts'
import { ensureSigningKey } from './storage/signing-key.ts'

export interface DataPaths {
  folder: string
  database: string
  packages: string
  pictures: string
  signingKey: string
  backups: string
  settings: string
  running: string
  serverLock: string
  initializationLock: string
}

export function dataPaths(folder: string): DataPaths {
  return {
    folder,
    database: join(folder, 'skilldock.db'),
    packages: join(folder, 'packages'),
    pictures: join(folder, 'pictures'),
    signingKey: join(folder, 'signing-key.json'),
    backups: join(folder, 'backups'),
    settings: join(folder, 'settings.json'),
    running: join(folder, 'running.json'),
    serverLock: join(folder, 'server.lock'),
    initializationLock: join(folder, 'initialization.lock'),
  }
}

/** Milliseconds that a second process waits while the first one makes or migrates the folder. */
const initializationWaitMs = 20_000

/**
 * Makes the data folder, its database in the newest version and its signing key, each once, whoever comes
 * first: the server, the app or a command. Safe to call from several processes at the same time.
 */
export function initializeDataFolder(paths: DataPaths): void {
  makeFolder(paths.folder)
  const lock = acquireFileLock(paths.initializationLock, initializationWaitMs)
  if (lock === null) {
    throw new Error('Another Skilldock command has been preparing the data folder for 20 s. Try again.')
  }
  try {
    migrate(paths.database, paths.backups)
    ensureSigningKey(paths.signingKey)
  } finally {
    lock.release()
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new ConfigError(
      `The data folder ${folder} cannot be made (${reason}). Set SKILLDOCK_DATA to another folder.`,
      { cause: error },
    )
  }
}

/** Held by the one server of a data folder for as long as it lives; null where another server has it. */
export function lockForServing(paths: DataPaths): FileLock | null {
  return acquireFileLock(paths.serverLock, 0)
}
