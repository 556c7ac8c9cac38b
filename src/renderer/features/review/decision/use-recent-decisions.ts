import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { startOfYesterday } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { withView } from '../queue/queue-filter.ts'
import type { QueueFilter } from '../queue/queue-filter.ts'
import { queuePageQuery } from '../review.api.ts'
import type { ReviewRow } from '../review.api.ts'

interface Shown {
  baseline: object
  rows: readonly ReviewRow[]
}

/**
 * The decisions of today and yesterday, listed after the pending releases. Collected once per arrangement of the
 * pending rows: a release decided later keeps its place among them until the new rows are shown.
 */
export function useRecentDecisions(
  filter: QueueFilter,
  pending: { rows: readonly ReviewRow[]; baseline: object } | null,
): readonly ReviewRow[] {
  const enabled = filter.view === 'pending' && filter.q === ''
  const decided = withView({ ...filter, q: '' }, 'decided')
  const { data } = useQuery({ ...queuePageQuery(decided, 0), enabled })
  const now = useNow()
  const [shown, setShown] = useState<Shown | null>(null)
  if (!enabled || pending === null || data === undefined) return []

  const latest = new Map(data.items.map((row) => [row.id, row]))
  let current = shown?.baseline === pending.baseline ? shown : null
  if (current === null) {
    const since = startOfYesterday(now)
    const above = new Set(pending.rows.map(({ id }) => id))
    current = {
      baseline: pending.baseline,
      rows: data.items.filter(
        ({ id, decidedAt }) => !above.has(id) && decidedAt !== null && Date.parse(decidedAt) >= since,
      ),
    }
    setShown(current)
  }
  return current.rows.map((row) => latest.get(row.id) ?? row)
}
