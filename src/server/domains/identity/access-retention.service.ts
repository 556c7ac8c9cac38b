import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { accessRetentionRepository } from './access-retention.repository.ts'
import type { EndingRow } from './access-retention.repository.ts'

const dayMs = 86_400_000
/** Milliseconds for which People still shows a token or a session that ended (docs/API.md, "Retention"). */
const accessKeptMs = 30 * dayMs
/** Milliseconds; nothing shows a sign-in code. */
const codeKeptMs = dayMs
/** Rows of one slice; each takes about a millisecond. */
const rowsAtOnce = 500

export interface Purged {
  tokens: number
  sessions: number
  codes: number
}

/**
 * Removes what nobody can sign in with any more, a while after its end. A token without a record is refused like any
 * unknown one.
 */
export function createAccessRetention(database: Database, clock = (): Date => new Date()) {
  const reading = accessRetentionRepository(database.reader)
  const writing = accessRetentionRepository(database.writer)

  const walk = async <Id extends string | number>(
    first: Id,
    list: (after: Id, limit: number) => EndingRow<Id>[],
    remove: (id: Id, before: string) => boolean,
  ): Promise<number> => {
    const before = new Date(clock().getTime() - accessKeptMs).toISOString()
    let removed = 0
    let last: Id | undefined = first
    while (last !== undefined) {
      database.assertAvailable()
      const rows = list(last, rowsAtOnce)
      const ended = rows.filter(({ endsAt }) => endsAt < before)
      if (ended.length > 0) {
        // oxlint-disable-next-line no-await-in-loop
        removed += await database.transact(() => ended.filter(({ id }) => remove(id, before)).length)
      }
      last = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.id
      // oxlint-disable-next-line no-await-in-loop
      await nextTurn()
    }
    return removed
  }

  const purgeCodes = async (): Promise<number> => {
    const before = new Date(clock().getTime() - codeKeptMs).toISOString()
    let removed = 0
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const count = await database.transact(() => writing.deleteCodes(before, rowsAtOnce))
      removed += count
      if (count < rowsAtOnce) return removed
    }
  }

  return {
    async purge(): Promise<Purged> {
      return {
        tokens: await walk('', reading.listTokens, writing.deleteToken),
        sessions: await walk(0, reading.listSessions, writing.deleteSession),
        codes: await purgeCodes(),
      }
    },
  }
}
