import { z } from 'zod'
import type { Bucket } from '../storage/bucket.ts'

/** The object that says which machine may write, and up to where it has acknowledged what it wrote. */
const fenceKey = 'writer.json'

const fenceSchema = z.object({
  /** Counts promotions. Each epoch has a replica of its own, so that a replaced machine cannot write into the next one. */
  epoch: z.int().min(1),
  /** The id of the data folder that writes. */
  writer: z.string(),
  /** Litestream's number of the last transaction that was acknowledged in this epoch. */
  txid: z.int().min(0).default(0),
})

/** See docs/decisions/038. */
export type Fence = z.infer<typeof fenceSchema>

export interface ReadFence extends Fence {
  /** For the next conditional write. */
  version: string
}

/** Where the replica of an epoch is in the bucket, relative to its prefix. */
export const replicaOf = (epoch: number): string => `database/${epoch}`

/** Litestream's folders of a replica's transactions and snapshots. */
const transactionLevel = '0000'
const snapshotLevel = '0009'

/** Where Litestream keeps a transaction. It removes transactions that are in a snapshot after some minutes. */
export function transactionOf(epoch: number, txid: number): string {
  const number = txid.toString(16).padStart(16, '0')
  return `${replicaOf(epoch)}/${transactionLevel}/${number}-${number}.ltx`
}

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
    const version = await bucket.replace(fenceKey, text, found?.version ?? null)
    if (version !== null) return { ...next, version }
    found = await readFence(bucket)
    if (found === null) throw new Error('The fence was removed from the bucket')
    const isOwn = found.writer === next.writer && found.epoch === next.epoch
    if (!isOwn || found.txid === next.txid) return found
  }
  throw new Error('The fence changes all the time')
}
