import { rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { backupIntervalMs } from '../../shared/backup-intervals.ts'
import type { DeskBackups } from '../../shared/contracts/desk-services.ts'
import { messageOf } from '../../shared/errors.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { logTexts } from '../operations/log.texts.ts'
import type { Logger } from '../operations/logging.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { startWorker } from '../processes/helper-worker.ts'
import type { HelperWorker } from '../processes/helper-worker.ts'
import type { Config } from '../settings/config.ts'
import { backupAnswerSchema } from './backup-messages.ts'
import type { BackupAnswer, BackupJob } from './backup-messages.ts'
import {
  backupStatePath,
  lastTested,
  readBackupState,
  retainedBackups,
  writeBackupState,
} from './backup-state.ts'
import { texts } from './backup.texts.ts'

const hourMs = 3_600_000

/** Milliseconds that writing or testing may take: it ends only a process that hangs. */
const jobLimitMs = 24 * hourMs

/** The names of backups that the schedule writes; nothing else is ever removed. */
const namePattern = /^skilldock-\d{8}T\d{9}Z\.tar$/

interface ScheduledBackupsOptions {
  paths: Pick<DataPaths, 'folder' | 'backups'>
  /** Read each time, since settings can change. */
  config: Readonly<Pick<Config, 'backup.every' | 'backup.keep' | 'backup.folder'>>
  startProcess(): HelperProcess
  log: Logger
  /** Milliseconds until the first look at whether a backup is due: a starting server has other work first. */
  firstMs?: number
  /** Milliseconds between two looks. */
  everyMs?: number
}

/** Writes backups by schedule, and tests each one by restoring it (docs/decisions/019-scheduled-backups.md). */
export function createScheduledBackups(options: ScheduledBackupsOptions) {
  const { paths, config, log, firstMs = 10 * 60_000, everyMs = 60_000 } = options
  const statePath = backupStatePath(paths)
  let state = readBackupState(statePath)
  const startedAt = Date.now()
  let phase: DeskBackups['phase'] = 'idle'
  let worker: HelperWorker<BackupAnswer> | null = null
  let running: Promise<void> = Promise.resolve()
  let hasEnded = false
  let onFailure = (): void => {}

  const folder = (): string => resolve(config['backup.folder'] ?? paths.backups)

  const save = (changes: Partial<typeof state>): void => {
    state = { ...state, ...changes }
    writeBackupState(statePath, state)
  }

  const runJob = async (file: string, job: BackupJob): Promise<number> => {
    const outcome = await worker?.run({ path: file, input: job }, { timeoutMs: jobLimitMs })
    if (outcome?.kind !== 'answer') throw new Error(texts.processEnded)
    if (outcome.answer.ok === null) throw new Error(outcome.answer.failed)
    return outcome.answer.bytes
  }

  const removeOld = (): void => {
    const retained = retainedBackups(state.backups, config['backup.keep'])
    const removed = state.backups.filter((backup) => {
      if (retained.has(backup) || !namePattern.test(basename(backup.file))) return false
      try {
        rmSync(backup.file, { force: true })
        return true
      } catch (error) {
        log.warn({ err: error, file: backup.file }, logTexts.backupNotRemoved)
        return false
      }
    })
    if (removed.length > 0) save({ backups: state.backups.filter((backup) => !removed.includes(backup)) })
  }

  const backUp = async (): Promise<void> => {
    const at = new Date().toISOString()
    const file = join(folder(), `skilldock-${at.replaceAll(/[-:.]/g, '')}.tar`)
    worker = startWorker(options.startProcess, backupAnswerSchema)
    try {
      const bytes = await runJob(file, { kind: 'write', dataFolder: paths.folder })
      const written = { file, bytes, at, testedAt: null }
      save({ backups: [...state.backups, written] })
      phase = 'testing'
      await runJob(file, { kind: 'prove' })
      const tested = { ...written, testedAt: new Date().toISOString() }
      save({ backups: [...state.backups.filter((other) => other !== written), tested], failure: null })
      log.info({ file, bytes }, logTexts.backupTested)
    } finally {
      await worker.end()
      worker = null
      removeOld()
    }
  }

  const run = async (): Promise<void> => {
    phase = 'writing'
    try {
      await backUp()
    } catch (error) {
      if (hasEnded) return
      const reason = messageOf(error)
      log.error({ reason }, logTexts.backupFailed)
      const isNew = state.failure === null
      state = { ...state, failure: { at: new Date().toISOString(), reason } }
      try {
        writeBackupState(statePath, state)
      } catch (cause) {
        // On a full disk, the failure stays in memory and in the log.
        log.error({ err: cause }, logTexts.backupFailed)
      }
      if (isNew) onFailure()
    } finally {
      phase = 'idle'
    }
  }

  const backUpNow = (): void => {
    if (phase === 'idle' && !hasEnded) running = run()
  }

  /** A failed backup is tried again after an hour. */
  const isDue = (): boolean => {
    const every = config['backup.every']
    if (every === 'never') return false
    // A clock that was set back must not postpone backups.
    const isOlder = (at: string | undefined, ms: number): boolean =>
      at === undefined || Math.abs(Date.now() - Date.parse(at)) >= ms
    return isOlder(lastTested(state)?.at, backupIntervalMs[every]) && isOlder(state.failure?.at, hourMs)
  }

  const findProblem = (): string | null => {
    const every = config['backup.every']
    const tested = lastTested(state)
    if (state.failure !== null) return texts.failed(state.failure.reason)
    if (every === 'never' || phase !== 'idle') return null
    if (tested === null) return Date.now() - startedAt > hourMs ? texts.none : null
    // After a long pause, the first backup starts some time after the server.
    const since = Math.max(Date.parse(tested.at) + backupIntervalMs[every], startedAt)
    return Date.now() - since > hourMs ? texts.overdue : null
  }

  const schedule = createRecurringTask(
    async () => {
      if (isDue()) backUpNow()
    },
    { firstMs, everyMs },
  )

  return {
    start: schedule.start,
    /** Aborts a backup in progress. */
    async end(): Promise<void> {
      hasEnded = true
      await schedule.end()
      await worker?.end()
      await running
    },
    /** Starts a backup, unless one is being written or tested. */
    backUpNow,
    /** Calls the listener when a backup fails after one that succeeded, and not for each further attempt. */
    onFailure(listener: () => void): void {
      onFailure = listener
    },
    read(): DeskBackups {
      const tested = lastTested(state)
      return {
        every: config['backup.every'],
        keep: config['backup.keep'],
        folder: folder(),
        phase,
        lastTested:
          tested?.testedAt == null ? null : { at: tested.testedAt, file: tested.file, bytes: tested.bytes },
        problem: findProblem(),
      }
    },
  }
}

export type ScheduledBackups = ReturnType<typeof createScheduledBackups>
