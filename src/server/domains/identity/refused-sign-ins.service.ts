import type { AuditChannel } from '../../../shared/contracts/desk-audit-log.ts'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { auditLog } from '../../db/log/audit-log.ts'
import type { RefusedSignIns } from '../../db/log/audit-log.ts'

/** Milliseconds for which refused sign-ins of one network with the same error are one event of the audit log. */
const windowMs = 3_600_000
/** Events per window; refused sign-ins of further networks are counted together. */
const maxEvents = 100
/** Milliseconds between two transactions. Nobody waits for them. */
const saveMs = 1000

interface Counted extends RefusedSignIns {
  /** Null until it is stored. */
  id: number | null
}

/**
 * Records refused sign-ins in the audit log. A flood of them adds at most `maxEvents` rows per hour and one transaction per
 * second, and delays no answer.
 */
export function createRefusedSignIns(database: Database, clock = (): number => performance.now()) {
  const writing = auditLog(database.writer)
  let counted = new Map<string, Counted>()
  /** Those of the former window that are not stored yet. */
  let left: Counted[] = []
  let startedAt = clock()
  let timer: NodeJS.Timeout | undefined

  const save = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const unsaved = [...left, ...counted.values()].filter(({ count }) => count > 0)
    if (unsaved.length === 0) return
    let taken: { one: Counted; id: number | null; count: number }[] = []
    try {
      await database.transact(() => {
        taken = unsaved.map((one) => ({ one, id: one.id, count: one.count }))
        for (const { one, id, count } of taken) {
          if (id === null) one.id = writing.insertRefused(one)
          else writing.addRefused(id, count)
          one.count = 0
        }
      })
    } catch {
      // The database is unavailable, which the state of the services reports. They are stored with the next ones.
      for (const { one, id, count } of taken) Object.assign(one, { id, count: one.count + count })
    }
    left = left.filter(({ count }) => count > 0)
  }

  return {
    save,

    count(channel: AuditChannel, network: string, code: ErrorCode): void {
      if (clock() - startedAt >= windowMs) {
        left = [...left, ...counted.values()].filter(({ count }) => count > 0)
        counted = new Map()
        startedAt = clock()
      }
      const key = `${channel} ${network} ${code}`
      const known = counted.get(key) ?? (counted.size < maxEvents ? undefined : counted.get(''))
      if (known !== undefined) known.count += 1
      else if (counted.size < maxEvents) counted.set(key, { id: null, channel, network, code, count: 1 })
      else counted.set('', { id: null, channel, network: null, code: null, count: 1 })
      timer ??= setTimeout(() => void save(), saveMs).unref()
    },
  }
}
