import type { QueryKey } from '@tanstack/react-query'
import { asListed } from '../../../lib/list/paged-list.ts'
import type { KeyOf } from '../../../lib/list/paged-list.ts'
import { usePagedList } from '../../../lib/list/use-paged-list.ts'
import type { Rows } from './module-questions.ts'

/** Rows per request to the worker. */
const pageSize = 100
/** Rows shown at most. Further ones are found with a filter. */
export const maxRows = 10_000

/** The rows of a view in the worker of a module, loaded as they become visible. */
export const useRows = <Row>(
  key: readonly unknown[],
  keyOf: KeyOf<Row>,
  load: (from: number, count: number) => Promise<Rows<Row>>,
) =>
  usePagedList<Rows<Row>, QueryKey>({
    page: (from) => ({
      queryKey: ['inside', ...key, from],
      queryFn: () => load(from, pageSize),
      staleTime: Infinity,
      gcTime: 10_000,
      retry: false,
      structuralSharing: false,
    }),
    placement: asListed,
    keyOf,
    pageSize,
  })
