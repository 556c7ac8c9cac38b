import type { TrustRecord } from '../../../shared/contracts/dashboard.ts'
import { wholeQuery } from '../agents-query.ts'
import { integerOf, textOf, timeOf } from '../cell-values.ts'
import { jsonOf } from '../json-value.ts'

const columns = ['agent_name', 'auid', 'trust_tier', 't_score', 'credit_rating', 'verified_at', 'status']

/** `/api/trust` as JSON text. */
export const listTrust = wholeQuery(
  (database) => {
    const rows =
      database.columnsOf('trust_records') === null
        ? []
        : database.all(
            `SELECT ${database.columns('trust_records', columns)} FROM trust_records
             ORDER BY ${database.column('trust_records', 'agent_name')}`,
          )
    const records = rows.map((row): TrustRecord => ({
      agent_name: textOf(row['agent_name']),
      auid: textOf(row['auid']),
      trust_tier: textOf(row['trust_tier']),
      t_score: integerOf(row['t_score']),
      credit_rating: textOf(row['credit_rating']),
      verified_at: timeOf(row['verified_at']),
      status: textOf(row['status']),
    }))
    return jsonOf({ records })
  },
  () => jsonOf({ records: [] }),
)
