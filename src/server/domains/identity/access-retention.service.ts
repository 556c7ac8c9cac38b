import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { accessRetentionRepository } from './access-retention.repository.ts'
import type { EndingRow } from './access-retention.repository.ts'

const dayMs = 86_400_000
/**
 * How long the People page still shows a token, session or passkey after its end, in milliseconds (docs/API.md, "Retention").
 */
const accessRetentionMs = 30 * dayMs
/** How long expired sign-in codes are stored, in milliseconds. They are not shown anywhere. */
const codeRetentionMs = dayMs
/** How long the audit log has refused sign-ins, and the address of any change, in milliseconds. */
const refusedRetentionMs = 30 * dayMs
const addressRetentionMs = 90 * dayMs
/** Rows per batch; a batch takes about a millisecond. */
const batchSize = 500

export interface Purged {
  tokens: number
  sessions: number
  passkeys: number
  codes: number
  exchanges: number
  refusedSignIns: number
  addresses: number
}

/**
 * Deletes tokens, desk sessions, passkeys and sign-in codes some time after they have ended, and old refused sign-ins and addresses
 * of the audit log. A token without a record is rejected like any unknown token.
 */
export function createAccessRetention(database: Database, clock = (): Date => new Date()) {
  const reading = accessRetentionRepository(database.reader)
  const writing = accessRetentionRepository(database.writer)

  const walk = async <Id extends string | number>(
    first: Id,
    list: (after: Id, limit: number) => EndingRow<Id>[],
    remove: (id: Id, before: string) => boolean,
  ): Promise<number> => {
    const before = new Date(clock().getTime() - accessRetentionMs).toISOString()
    let removed = 0
    let last: Id | undefined = first
    while (last !== undefined) {
      database.assertAvailable()
      const rows = list(last, batchSize)
      const ended = rows.filter(({ endsAt }) => endsAt < before)
      if (ended.length > 0) {
        removed += await database.transact(() => ended.filter(({ id }) => remove(id, before)).length)
      }
      last = rows.length < batchSize ? undefined : rows.at(-1)?.id
      await nextTurn()
    }
    return removed
  }

  const purgeOld = async (
    retentionMs: number,
    remove: (before: string, limit: number) => number,
  ): Promise<number> => {
    const before = new Date(clock().getTime() - retentionMs).toISOString()
    let removed = 0
    for (;;) {
      const count = await database.transact(() => remove(before, batchSize))
      removed += count
      if (count < batchSize) return removed
    }
  }

  return {
    async purge(): Promise<Purged> {
      return {
        tokens: await walk('', reading.listTokens, writing.deleteToken),
        sessions: await walk(0, reading.listSessions, writing.deleteSession),
        passkeys: await walk(0, reading.listPasskeys, writing.deletePasskey),
        codes: await purgeOld(codeRetentionMs, writing.deleteCodes),
        exchanges: await purgeOld(accessRetentionMs, writing.deleteExchanges),
        refusedSignIns: await purgeOld(refusedRetentionMs, writing.deleteRefused),
        addresses: await purgeOld(addressRetentionMs, writing.forgetAddresses),
      }
    },
  }
}
