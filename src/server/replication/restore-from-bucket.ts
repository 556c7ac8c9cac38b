import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { markStorage } from '../data-folder/storage-marker.ts'
import { openForInspection } from '../db/inspect.ts'
import { openBucket } from '../storage/bucket.ts'
import type { Bucket, BucketLocation } from '../storage/bucket.ts'
import { compareCheckpoint, readLogKey } from '../storage/log-checkpoint.ts'
import { readFence, replaceFence } from './fence.ts'
import type { ReadFence } from './fence.ts'
import { requireLitestream, restoreDatabase } from './litestream.ts'
import { keptFiles, keptKey } from './replication.ts'
import { replicationTexts as texts } from './replication.texts.ts'
import { saveIdentity } from './writer-identity.ts'

interface BucketRestore {
  /** The epoch in which the database was written. */
  epoch: number
}

/**
 * Restores the keys, the settings and the database of a registry from its bucket, where its packages and images stay.
 * With `promoted`, this machine first becomes the one that writes: after that, the former one acknowledges nothing that
 * the database does not contain. Throws a Refusal.
 */
export const fromBucket =
  (location: BucketLocation, program: string, { promoted = false } = {}) =>
  async (work: DataPaths): Promise<BucketRestore> => {
    requireLitestream(program)
    const bucket = openBucket(location)
    const fence = await readFence(bucket)
    if (fence === null) throw new Refusal(texts.neverReplicated(bucket.url))
    if (!promoted) return restore(work, location, program, fence.epoch)
    const epoch = await raise(work, bucket, fence)
    try {
      await restore(work, location, program, epoch)
    } catch (error) {
      if (error instanceof Refusal) throw new Refusal(texts.raised(error.message), { cause: error })
      throw error
    }
    return { epoch }
  }

async function restore(
  work: DataPaths,
  location: BucketLocation,
  program: string,
  newest: number,
): Promise<BucketRestore> {
  const bucket = openBucket(location)
  for (const name of keptFiles) {
    const object = await bucket.getText(keptKey(work[name]))
    if (object !== null) writeFileSync(work[name], object.text, { mode: 0o600 })
  }
  const { database, litestreamConfig: config } = work
  const epoch = await restoreDatabase(program, { database, config, location, epoch: newest })
  if (epoch === null) throw new Refusal(texts.noReplica(location.url))
  const connection = openForInspection(database)
  try {
    const problem = compareCheckpoint(work.logCheckpoint, readLogKey(work.logKey), connection)
    if (problem !== null) throw new Refusal(problem)
  } finally {
    connection.close()
  }
  markStorage(work, location.url)
  return { epoch }
}

async function raise(work: DataPaths, bucket: Bucket, former: ReadFence): Promise<number> {
  const next = { epoch: former.epoch + 1, writer: randomUUID(), txid: 0 }
  const raised = await replaceFence(bucket, next, former)
  if (raised.writer !== next.writer) throw new Refusal(texts.raced(raised.epoch))
  saveIdentity(work, next)
  return next.epoch
}
