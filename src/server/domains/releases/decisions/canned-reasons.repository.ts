import type { CannedReason } from '../../../../shared/contracts/desk-decisions.ts'
import { repository } from '../../../db/repository.ts'

/** All SQL about the templates for review notes. */
export const cannedReasonRepository = repository((sql) => {
  const clear = sql.run<[]>('DELETE FROM canned_reasons')
  const insert = sql.run<[number, string, string, string]>(
    'INSERT INTO canned_reasons (position, action, label, sentence) VALUES (?, ?, ?, ?)',
  )

  return {
    /** In display order. */
    list: sql.list<[], CannedReason>('SELECT action, label, sentence FROM canned_reasons ORDER BY position'),
    replace(reasons: readonly CannedReason[]): void {
      clear()
      for (const [position, { action, label, sentence }] of reasons.entries()) {
        insert(position, action, label, sentence)
      }
    },
  }
})
