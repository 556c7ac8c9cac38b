import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Rows } from './module-questions.ts'

/** The page is given so many rows at once. */
const pageRows = 100
/** Nobody scrolls further; a filter finds what lies behind. */
export const mostRows = 10_000

interface RowsInSight<Row> {
  /** How many the view holds; null while the first answer of all is awaited. */
  matched: number | null
  row: (index: number) => Row | null
  /** Whether the view is still being arranged. */
  arranging: boolean
  error: Error | null
  onVisible: (first: number, last: number) => void
}

/** Rows of a view that the module's worker has arranged, read as they come into sight. */
export function useRows<Row>(
  key: readonly unknown[],
  load: (from: number, count: number) => Promise<Rows<Row>>,
): RowsInSight<Row> {
  const [sight, setSight] = useState({ first: 0, last: 0 })
  const from = Math.floor(sight.first / pageRows)
  const pages = Array.from({ length: Math.floor(sight.last / pageRows) - from + 1 }, (_, at) => from + at)
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
  // While a view is being arranged the table keeps the length that it had.
  const [lastMatched, keep] = useState<number | null>(null)
  if (matched !== null && matched !== lastMatched) keep(matched)
  return {
    matched: matched ?? lastMatched,
    row: (index) => {
      const page = Math.floor(index / pageRows)
      return results[pages.indexOf(page)]?.data?.rows[index % pageRows] ?? null
    },
    arranging: matched === null,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    onVisible: (first, last) => setSight({ first, last }),
  }
}
