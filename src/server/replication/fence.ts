import { z } from 'zod'
import type { Bucket } from '../storage/bucket.ts'

/** The object that says which machine may write, and up to where the catalog that it has acknowledged goes. */
const fenceKey = 'writer.json'

const fenceSchema = z.strictObject({
  /** Counts promotions. Each epoch has a replica of its own, so that a replaced machine cannot write into the next one. */
  epoch: z.int().min(1),
  /** The id of the data folder that writes. */
  writer: z.string(),
  /** `catalog_generation` of the last acknowledged write. */
  generation: z.int().min(0),
})

/** See docs/decisions/038. */
export type Fence = z.infer<typeof fenceSchema>

export interface ReadFence extends Fence {
  /** For the next conditional write. */
  version: string
}

/** Where the replica of an epoch is in the bucket, relative to its prefix. */
export const replicaOf = (epoch: number): string => `database/${epoch}`

/** Litestream's folder of a replica's snapshots. */
const snapshotLevel = '0009'

/** When the newest snapshot of an epoch was put into the bucket; null before the first. */
export async function findSnapshot(bucket: Pick<Bucket, 'list'>, epoch: number): Promise<Date | null> {
  let newest: Date | null = null
  for await (const objects of bucket.list(`${replicaOf(epoch)}/${snapshotLevel}/`)) {
    for (const { changedAt } of objects) if (newest === null || changedAt > newest) newest = changedAt
  }
  return newest
}

/** Null if no machine has replicated to this bucket yet. */
export async function readFence(bucket: Pick<Bucket, 'getText'>): Promise<ReadFence | null> {
  const object = await bucket.getText(fenceKey)
  return object === null ? null : { ...fenceSchema.parse(JSON.parse(object.text)), version: object.version }
}

/** Tries of a machine whose own earlier write arrived late. */
const tries = 5

/**
 * Writes the fence if it still is `former` (or, for null, if it does not exist), or was written by the same machine in
 * the same epoch. Returns what is there now: compare `writer` to find out whose it is.
 */
export async function replaceFence(
  bucket: Pick<Bucket, 'getText' | 'replace'>,
  next: Fence,
  former: ReadFence | null,
): Promise<ReadFence> {
  const text = `${JSON.stringify(next)}\n`
  let found = former
  for (let left = tries; left > 0; left -= 1) {
    // oxlint-disable-next-line no-await-in-loop
    const version = await bucket.replace(fenceKey, text, found?.version ?? null)
    if (version !== null) return { ...next, version }
    // oxlint-disable-next-line no-await-in-loop
    found = await readFence(bucket)
    if (found === null) throw new Error('The fence was removed from the bucket')
    const isOwn = found.writer === next.writer && found.epoch === next.epoch
    if (!isOwn || found.generation === next.generation) return found
  }
  throw new Error('The fence changes all the time')
}
