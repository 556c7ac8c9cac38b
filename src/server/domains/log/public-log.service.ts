import { maxLogEntries } from '../../../shared/contracts/log.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { eventLog } from '../../db/log/event-log.ts'
import { consistencyProof, inclusionProof } from '../../db/log/merkle-tree.ts'
import type { LogKey } from '../../storage/log-checkpoint.ts'
import { texts } from './log.texts.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** What everyone may read of the transparency log. All numbers are non-negative integers. */
export function createPublicLog(database: Database, key: LogKey) {
  const log = eventLog(database.reader)

  /** Throws VALIDATION_FAILED unless both numbers are in order and not beyond the log. */
  const assertWithin = (first: number, last: number, wrongOrder: string): void => {
    database.assertAvailable()
    if (first > last) throw new DomainError('VALIDATION_FAILED', wrongOrder)
    const size = log.readSize()
    if (last > size) throw new DomainError('VALIDATION_FAILED', texts.beyondLog(size))
  }

  return {
    verifierKey: key.verifierKey,

    signCheckpoint(): string {
      database.assertAvailable()
      return key.signCheckpoint(database.reader)
    },

    /** Returns at most the first `maxLogEntries`. */
    listEntries(start: number, end: number): string[] {
      assertWithin(start, end, texts.wrongRange)
      return log
        .list(start, Math.min(end, start + maxLogEntries))
        .map(({ entry }) => Buffer.from(entry).toString('base64'))
    },

    proveInclusion(index: number, size: number): string[] {
      assertWithin(index + 1, size, texts.indexNotInTree)
      return inclusionProof(index, size, log.readNode).map(base64)
    },

    proveConsistency(from: number, to: number): string[] {
      assertWithin(from, to, texts.wrongRange)
      if (from === 0) throw new DomainError('VALIDATION_FAILED', texts.emptyTree)
      return consistencyProof(from, to, log.readNode).map(base64)
    },
  }
}

export type PublicLog = ReturnType<typeof createPublicLog>
