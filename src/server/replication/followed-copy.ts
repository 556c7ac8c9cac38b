import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { Bucket, BucketLocation } from '../storage/bucket.ts'
import { transactionOf } from './fence.ts'
import { restoreEpoch } from './litestream.ts'
import { readTransaction } from './ltx.ts'
import type { Transaction } from './ltx.ts'

/** Bytes of the file of one transaction; with a larger one, restoring is quicker. */
const largestTransaction = 16 * 1024 ** 2

/** Where SQLite's header has the journal mode (twice), the number of changes (twice), and the number of pages. */
const header = { size: 100, modes: [18, 19], changes: [24, 92], pages: 28 } as const
const rollbackJournal = 1

/**
 * A copy of a replicated database. It changes only in `follow`, within one turn of the event loop, so a connection of this
 * process that has no transaction open never reads half of a change. Never open it in another process.
 */
export interface FollowedCopy {
  readonly epoch: number
  /** False after a change could only be written in part, as on a full disk: then it must not be read. */
  isWhole(): boolean
  /** Adds all transactions up to `txid`. False if the copy must be restored instead. */
  follow(bucket: Bucket, txid: number): Promise<boolean>
  close(): void
}

/** Restores an epoch to a new file. Null if nothing has been written in that epoch. */
export async function restoreCopy(
  program: string,
  replica: { config: string; database: string; location: BucketLocation; epoch: number },
): Promise<FollowedCopy | null> {
  const restored = await restoreEpoch(program, replica)
  if (restored === null) return null
  const { database, epoch } = replica
  const file = openSync(database, 'r+')
  let last = restored
  let isWhole = true
  markChanged(file)
  return {
    epoch,
    isWhole: () => isWhole,
    async follow(bucket, txid) {
      while (isWhole && last < txid) {
        const found = await bucket.get(transactionOf(epoch, last + 1))
        // Litestream has removed it, because it is in a snapshot.
        if (found === null) return false
        if (found.size > largestTransaction) {
          found.body.destroy()
          return false
        }
        const bytes = Buffer.concat(await found.body.toArray())
        const transaction = await readTransaction(bytes, last + 1)
        isWhole = false
        apply(file, transaction)
        isWhole = true
        last += 1
      }
      return isWhole
    },
    close: () => closeSync(file),
  }
}

function apply(file: number, { pageSize, pageCount, pages }: Transaction): void {
  for (const { number, bytes } of pages) {
    const written = writeSync(file, bytes, 0, pageSize, (number - 1) * pageSize)
    if (written < pageSize) throw new Error('The disk is full')
  }
  ftruncateSync(file, pageCount * pageSize)
  markChanged(file, pageCount)
}

let changes = Math.floor(Math.random() * 2 ** 31)

/**
 * Tells SQLite that the file has changed, so that it forgets the pages that it keeps in memory, and that there is no
 * write-ahead log beside it.
 */
function markChanged(file: number, pageCount?: number): void {
  const bytes = Buffer.alloc(header.size)
  readSync(file, bytes, 0, header.size, 0)
  changes = (changes + 1) % 2 ** 32
  for (const at of header.modes) bytes[at] = rollbackJournal
  for (const at of header.changes) bytes.writeUInt32BE(changes, at)
  if (pageCount !== undefined) bytes.writeUInt32BE(pageCount, header.pages)
  writeSync(file, bytes, 0, header.size, 0)
}
