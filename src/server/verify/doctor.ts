import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { backupStatePath, lastTested, readBackupState } from '../backup/backup-state.ts'
import { checkSigningKey } from '../backup/check-signing-key.ts'
import type { OnProblem } from '../backup/progress.ts'
import { storedFiles } from '../backup/stored-files.ts'
import type { StoredFile } from '../backup/stored-files.ts'
import { checkSettings } from '../backup/verify-folder.ts'
import { checkDataFolder } from '../data-folder/check-data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { readRunning } from '../data-folder/running-file.ts'
import { assertRegistry } from '../data-folder/unfinished-restore.ts'
import { quickCheck } from '../db/compact.ts'
import type { Connection } from '../db/database.ts'
import { compareVersion, newestTime, openForInspection } from '../db/inspect.ts'
import { fragmentation, walBytes, walLimitBytes } from '../db/wal.ts'
import { isSqliteError } from './check.ts'
import { doctorTexts as texts } from './doctor.texts.ts'

/** One line of the report. */
export interface Finding {
  check: string
  ok: boolean
  text: string
}

/** Share of unused pages from which rewriting the database is recommended, and the pages that make it worthwhile. */
const highFragmentation = 0.25
const worthwhilePages = 64

/** Milliseconds that stored times may be ahead of the clock: clocks are corrected by small steps all the time. */
const clockToleranceMs = 60_000
const serverTimeoutMs = 10_000

const good = (check: string, text: string): Finding => ({ check, ok: true, text })
const bad = (check: string, text: string): Finding => ({ check, ok: false, text })

/**
 * Says what is wrong with a data folder, whether or not a server uses it, without reading every byte as `verify` does.
 * Changes nothing.
 */
export async function examineFolder(paths: DataPaths, now = new Date()): Promise<Finding[]> {
  const folder = await examineSpace(paths)
  if (!existsSync(paths.folder)) return [folder]
  return [
    folder,
    examineWith('settings', (onProblem) => checkSettings(paths, onProblem), texts.settings),
    examineWith('signing key', (onProblem) => checkSigningKey(paths.signingKey, onProblem), texts.signingKey),
    ...(await examineDatabase(paths, now)),
    examineBackups(paths),
    ...(await examineServer(paths)),
  ]
}

async function examineSpace({ folder }: DataPaths): Promise<Finding> {
  const { state, freeBytes, reason } = await checkDataFolder(folder, folder)
  if (!existsSync(folder) || state === 'no folder') return bad('folder', texts.folder.none(reason))
  if (state === 'not writable') return bad('folder', texts.folder.notWritable(reason))
  if (state === 'too little space') return bad('folder', texts.folder.littleSpace(freeBytes))
  return good('folder', texts.folder.ok(freeBytes))
}

/** Backups that an administrator makes without the server are unknown, so a registry without tested ones is not a problem. */
function examineBackups(paths: DataPaths): Finding {
  const state = readBackupState(backupStatePath(paths))
  if (state.failure !== null) return bad('backups', texts.backups.failed(state.failure.reason))
  const tested = lastTested(state)
  return good(
    'backups',
    tested?.testedAt == null ? texts.backups.none : texts.backups.tested(tested.testedAt),
  )
}

function examineWith(
  check: string,
  examine: (onProblem: OnProblem) => void,
  words: { ok: string; wrong(problem: string): string },
): Finding {
  const problems: string[] = []
  examine((problem) => problems.push(problem))
  const [problem] = problems
  return problem === undefined ? good(check, words.ok) : bad(check, words.wrong(problem))
}

async function examineDatabase(paths: DataPaths, now: Date): Promise<Finding[]> {
  try {
    assertRegistry(paths)
  } catch (error) {
    return [bad('database', messageOf(error))]
  }
  let connection: Connection | undefined
  try {
    connection = openForInspection(paths.database)
    const version = compareVersion(connection)
    if (version !== 'same') return [bad('database', texts.database[version])]
    const [damage] = quickCheck(connection)
    const intact =
      damage === undefined
        ? good('database', texts.database.ok)
        : bad('database', texts.database.damaged(damage))
    return [
      intact,
      examineLog(paths.database),
      examineFragmentation(connection),
      examineClock(connection, now),
      await examineFiles(paths, connection),
    ]
  } catch (error) {
    if (!isSqliteError(error)) throw error
    return [bad('database', texts.database.unreadable(error.message))]
  } finally {
    connection?.close()
  }
}

function examineLog(database: string): Finding {
  const bytes = walBytes(database)
  return bytes > walLimitBytes
    ? bad('write-ahead log', texts.wal.large(bytes))
    : good('write-ahead log', texts.wal.ok(bytes))
}

function examineFragmentation(connection: Connection): Finding {
  const share = fragmentation(connection)
  const pages = Number(connection.pragma('freelist_count', { simple: true }))
  return isWorthCompacting(share, pages)
    ? bad('fragmentation', texts.fragmentation.high(share))
    : good('fragmentation', texts.fragmentation.ok(share))
}

const isWorthCompacting = (share: number, pages: number): boolean =>
  share >= highFragmentation && pages >= worthwhilePages

function examineClock(connection: Connection, now: Date): Finding {
  const newest = newestTime(connection)
  return newest !== null && Date.parse(newest) > now.getTime() + clockToleranceMs
    ? bad('clock', texts.clock.back(newest, now.toISOString()))
    : good('clock', texts.clock.ok)
}

/** Only whether each file exists. Listed after the rows are read, because a file is in place before its row. */
async function examineFiles(paths: DataPaths, connection: Connection): Promise<Finding> {
  const files = [...storedFiles(connection)]
  const list = async (folder: StoredFile['folder']): Promise<string[]> => {
    const names = await readdir(paths[folder]).catch(() => [])
    return names.map((name) => `${folder}/${name}`)
  }
  const present = new Set([...(await list('packages')), ...(await list('pictures'))])
  const missing = files.filter(({ name }) => !present.has(name))
  const [first] = missing
  return first === undefined
    ? good('files', texts.files.ok(files.length))
    : bad('files', texts.files.missing(missing.length, `${first.name} (${first.what})`))
}

/** Asks the running server for the results of its own health checks. */
async function examineServer(paths: DataPaths): Promise<Finding[]> {
  const running = readRunning(paths.running)
  if (running === null) return [good('server', texts.server.none)]
  const address = running.dashboard
  try {
    const response = await fetch(new URL('/api/skilldock/ready', address), {
      signal: AbortSignal.timeout(serverTimeoutMs),
    })
    const { checks } = (await response.json()) as { checks: Record<string, string> }
    const failed = Object.values(checks).filter((result) => result !== 'ok')
    return failed.length === 0
      ? [good('server', texts.server.ok(address))]
      : failed.map((sentence) => bad('server', sentence))
  } catch (error) {
    return [bad('server', texts.server.silent(address, messageOf(error)))]
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
