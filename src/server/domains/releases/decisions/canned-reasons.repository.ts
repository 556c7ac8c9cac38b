import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'

/** All SQL about the templates for review notes. */
export const cannedReasonRepository = preparedOnce((connection: Connection) => {
  const list = connection.prepare<[], CannedReason>(
    'SELECT action, label, sentence FROM canned_reasons ORDER BY position',
  )
  const clear = connection.prepare<[]>('DELETE FROM canned_reasons')
  const insert = connection.prepare<[number, string, string, string]>(
    'INSERT INTO canned_reasons (position, action, label, sentence) VALUES (?, ?, ?, ?)',
  )

  return {
    /** In display order. */
    list: () => list.all(),
    replace(reasons: readonly CannedReason[]): void {
      clear.run()
      for (const [position, { action, label, sentence }] of reasons.entries()) {
        insert.run(position, action, label, sentence)
      }
    },
  }
})
