import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Places } from '../../../lib/list/paged-list.ts'
import type { Rows } from './module-questions.ts'

/** Rows per request to the worker. */
const pageRows = 100
/** Rows shown at most. Further ones are found with a filter. */
export const maxRows = 10_000

export interface VisibleRows<Row> {
  /** The total number of rows in the view; null until the first answer. */
  matched: number | null
  row: (index: number) => Row | null
  /** Whether the worker is still sorting and filtering. */
  arranging: boolean
  error: Error | null
  loadVisible: (places: Places) => void
}

/** The rows of a view in the worker of a module, loaded as they become visible. */
export function useRows<Row>(
  key: readonly unknown[],
  load: (from: number, count: number) => Promise<Rows<Row>>,
): VisibleRows<Row> {
  const [visible, setVisible] = useState<Places>({ first: 0, end: 1 })
  const from = Math.floor(visible.first / pageRows)
  const pages = Array.from(
    { length: Math.ceil(Math.max(1, visible.end) / pageRows) - from },
    (_, at) => from + at,
  )
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['inside', ...key, page],
      queryFn: () => load(page * pageRows, pageRows),
      staleTime: Infinity,
      gcTime: 10_000,
      retry: false,
      structuralSharing: false,
    })),
  })
  const matched = results.find(({ data }) => data !== undefined)?.data?.matched ?? null
  // While a view is being arranged, the table keeps its previous length.
  const [lastMatched, setLastMatched] = useState<number | null>(null)
  if (matched !== null && matched !== lastMatched) setLastMatched(matched)
  return {
    matched: matched ?? lastMatched,
    row: (index) => {
      const page = Math.floor(index / pageRows)
      return results[pages.indexOf(page)]?.data?.rows[index % pageRows] ?? null
    },
    arranging: matched === null,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    loadVisible: setVisible,
  }
}
