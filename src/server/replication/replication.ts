import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DeskServices } from '../../shared/contracts/desk-services.ts'
import { DomainError, messageOf } from '../../shared/errors.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { Database } from '../db/database.ts'
import type { Logger } from '../operations/logging.ts'
import { logTexts } from '../operations/log.texts.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import { catalogRepository } from '../domains/releases/catalog/catalog.repository.ts'
import { openBucket } from '../storage/bucket.ts'
import type { Bucket, BucketLocation } from '../storage/bucket.ts'
import { findSnapshot, readFence, replaceFence } from './fence.ts'
import type { Fence, ReadFence } from './fence.ts'
import { createLease, now } from './lease.ts'
import type { Moment } from './lease.ts'
import { requireLitestream, startLitestream } from './litestream.ts'
import { replicationTexts as texts } from './replication.texts.ts'
import { readIdentity, saveIdentity } from './writer-identity.ts'

/**
 * Milliseconds for which a machine may answer after it began to read the fence. An acknowledged revocation has waited as
 * long, so every machine that has not heard of it answers 503.
 */
export const leaseMs = 3000
/** Milliseconds between two looks at the fence. */
export const everyMs = 1000
const snapshotEveryMs = 60_000
/** A request for the fence that takes longer comes too late. */
export const fenceTiming = { requestMs: 2000, retryDelaysMs: [] }
export const retryAfter = 5

/** Small files of a data folder that a restored machine needs. They are as secret as a backup. */
export const keptFiles = ['signingKey', 'logKey', 'logCheckpoint', 'settings'] as const
export const keptKey = (path: string): string => `folder/${basename(path)}`

/** The database of the machine that writes, kept in the bucket; see docs/decisions/038. */
export interface Replication {
  /** Throws unless this machine is known to be the one that writes: WRITER_REPLACED or STORAGE_UNAVAILABLE. */
  assertCurrent(): void
  /**
   * Resolves when everything that was committed before is in the bucket and no other machine has been promoted until
   * then; after a revocation, also when no machine serves the release any longer. Otherwise throws WRITER_REPLACED, or
   * UNCONFIRMED if the change is only on this machine.
   */
  confirm(): Promise<void>
  /** The keys or settings have changed: they are copied to the bucket before the next confirmation. */
  filesChanged(): void
  read(): NonNullable<DeskServices['replication']>
  end(): Promise<void>
}

export interface ReplicationParts {
  paths: DataPaths
  database: Database
  location: BucketLocation
  /** The path or name of the program litestream. */
  program: string
  log: Logger
}

/** Starts to replicate. Throws a Refusal if another machine writes this registry. */
export async function createReplication(parts: ReplicationParts): Promise<Replication> {
  const { paths, database, location, program, log } = parts
  const bucket = openBucket(location)
  const fenceBucket = openBucket(location, fenceTiming)
  const catalog = catalogRepository(database.reader)

  // Litestream copies the log and truncates it; checkpoints of SQLite would only cost time.
  database.writer.pragma('wal_autocheckpoint = 0')
  requireLitestream(program)
  const claimedAt = now()
  let fence = await claim(paths, bucket)
  const { epoch, writer } = fence
  const litestream = await startLitestream(paths, { program, location, epoch, log })
  let isReplaced = false
  const lease = createLease(leaseMs, claimedAt)
  let knownRevoked = catalog.countRevoked()
  /** Until when other machines may still serve what was revoked. */
  let settledAt = 0
  let confirmedAt: Date | null = null
  let snapshotAt: Date | null = null
  let problem: string | null = null
  let areFilesKept = false

  const take = (found: ReadFence, since: Moment): void => {
    if (found.writer !== writer || found.epoch !== epoch) {
      if (!isReplaced) log.error({ epoch: found.epoch }, logTexts.writerReplaced)
      isReplaced = true
      throw replaced()
    }
    fence = found
    lease.renew(since)
  }
  const replaced = (): DomainError => new DomainError('WRITER_REPLACED', texts.replaced, { retryAfter })
  const unknown = (cause?: unknown): DomainError =>
    new DomainError('STORAGE_UNAVAILABLE', texts.unknown, { retryAfter, cause })

  /** Puts what is committed now into the bucket. Returns the number of the last transaction there. */
  const sync = async (): Promise<number> => {
    const since = new Date()
    try {
      const txid = await litestream.sync()
      confirmedAt = since
      problem = null
      return txid
    } catch (error) {
      if (problem === null) log.warn({ err: error, service: 'litestream' }, logTexts.notConfirmed)
      problem = texts.notConfirmed(messageOf(error))
      throw error
    }
  }

  /** Copies the keys and settings to the bucket if they have changed. */
  const keepFiles = async (): Promise<void> => {
    if (areFilesKept) return
    areFilesKept = true
    try {
      for (const name of keptFiles) {
        const path = paths[name]
        if (existsSync(path)) await bucket.putText(keptKey(path), readFileSync(path, 'utf8'))
      }
    } catch (error) {
      areFilesKept = false
      if (problem === null) log.warn({ err: error, service: 'registry' }, logTexts.filesNotKept)
      problem = messageOf(error)
      throw error
    }
  }

  /** Puts everything into the bucket, and then tells the other machines. */
  const replicate = async (): Promise<void> => {
    if (isReplaced) throw replaced()
    try {
      await keepFiles()
      const revokedNow = catalog.countRevoked()
      const next: Fence = { epoch, writer, txid: await sync() }
      const since = now()
      take(await replaceFence(fenceBucket, next, fence), since)
      if (revokedNow !== knownRevoked) settledAt = performance.now() + leaseMs
      knownRevoked = revokedNow
    } catch (error) {
      if (isReplaced) throw replaced()
      // Otherwise logged above.
      if (problem === null) log.warn({ err: error, service: 'registry' }, logTexts.fenceNotWritten)
      throw new DomainError('UNCONFIRMED', texts.unconfirmed, { retryAfter, cause: error })
    }
  }

  /** The run that has not begun yet: all who ask until then share it. */
  let next: Promise<void> | null = null
  let running: Promise<unknown> = Promise.resolve()
  const replicateOnce = (): Promise<void> => {
    if (next !== null) return next
    const run = running.then(() => {
      next = null
      return replicate()
    })
    next = run
    running = run.catch(() => {})
    return run
  }

  let lookedForSnapshotAt = -Infinity
  const look = async (): Promise<void> => {
    try {
      const since = now()
      const found = await readFence(fenceBucket)
      if (found === null) throw new Error('The fence was removed from the bucket')
      take(found, since)
      // Changes that no request waits for, such as those of the undo window, must reach the other machines too.
      if (!areFilesKept || (await sync()) !== fence.txid) await replicateOnce()
      if (performance.now() - lookedForSnapshotAt < snapshotEveryMs) return
      snapshotAt = await findSnapshot(bucket, epoch)
      lookedForSnapshotAt = performance.now()
    } catch (error) {
      if (isReplaced || problem !== null) return
      problem = messageOf(error)
      log.warn({ err: error, service: 'registry' }, logTexts.fenceNotRead)
    }
  }
  const looks = createRecurringTask(look, { firstMs: everyMs, everyMs })
  try {
    await untilReady(replicateOnce)
  } catch (error) {
    await litestream.end()
    throw problem === null ? error : new Refusal(problem, { cause: error })
  }
  looks.start()

  return {
    assertCurrent() {
      if (isReplaced) throw replaced()
      if (!lease.isValid()) throw unknown()
    },
    async confirm() {
      await replicateOnce()
      const wait = settledAt - performance.now()
      if (wait > 0) await delay(wait)
    },
    filesChanged: () => void (areFilesKept = false),
    read: () => ({
      epoch,
      confirmedAt: confirmedAt?.toISOString() ?? null,
      snapshotAt: snapshotAt?.toISOString() ?? null,
      problem: isReplaced ? texts.replaced : problem,
    }),
    async end() {
      await looks.end()
      if (!isReplaced) await replicateOnce().catch(() => {})
      await litestream.end()
    },
  }
}

const firstTries = 50
const betweenTriesMs = 200

/** The first confirmation waits until the process has opened the database and its socket. */
async function untilReady(confirm: () => Promise<void>): Promise<void> {
  for (let left = firstTries; ; left -= 1) {
    try {
      await confirm()
      return
    } catch (error) {
      if (left === 0 || (error instanceof DomainError && error.code === 'WRITER_REPLACED')) throw error
      await delay(betweenTriesMs)
    }
  }
}

/** Takes the place of the machine that writes if it is free or was this one's. Throws a Refusal. */
async function claim(paths: DataPaths, bucket: Bucket): Promise<ReadFence> {
  const identity = readIdentity(paths) ?? { writer: randomUUID(), epoch: 1 }
  const found = await readFence(bucket)
  if (found === null) saveIdentity(paths, { ...identity, epoch: 1 })
  const fence = found ?? (await replaceFence(bucket, { ...identity, epoch: 1, txid: 0 }, null))
  if (fence.writer === identity.writer && fence.epoch === identity.epoch) return fence
  throw new Refusal(texts.otherWriter(bucket.url, fence.epoch))
}
