import { trustSorts } from '../../../../shared/contracts/desk-agents-tables.ts'
import { readText, withoutNothing } from '../list-filter.ts'
import type { Sorting } from '../list-filter.ts'
import { pathWith } from '../view-address.ts'

export type TrustSort = (typeof trustSorts)[number]

/** Which trust records are listed and in which order; it stands in the address, and the exports have the same. */
export interface TrustListFilter extends Sorting<TrustSort> {
  q: string
  tier: string | null
  rating: string | null
  status: string | null
}

export const allTrust: TrustListFilter = {
  q: '',
  tier: null,
  rating: null,
  status: null,
  sort: 'agent',
  order: 'asc',
}

export function readTrustFilter(search: string): TrustListFilter {
  const params = new URLSearchParams(search)
  return {
    q: readText(params, 'q', 100) ?? '',
    tier: readText(params, 'tier'),
    rating: readText(params, 'rating'),
    status: readText(params, 'status'),
    sort: trustSorts.find((sort) => sort === params.get('sort')) ?? 'agent',
    order: params.get('order') === 'desc' ? 'desc' : 'asc',
  }
}

/** For the address and for the server; what is usual is left out. */
export function trustQuery({ sort, order, ...rest }: TrustListFilter): Record<string, string> {
  return withoutNothing({
    ...rest,
    sort: sort === 'agent' ? null : sort,
    order: order === 'asc' ? null : order,
  })
}

export function trustPath(filter: TrustListFilter): string {
  return pathWith('/agents/trust', trustQuery(filter))
}

/** Whether it leaves out any record. */
export function isTrustNarrowed({ q, tier, rating, status }: TrustListFilter): boolean {
  return q !== '' || tier !== null || rating !== null || status !== null
}
