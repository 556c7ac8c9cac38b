import { edgeSorts } from '../../../../shared/contracts/desk-agents-tables.ts'
import { readText, withoutNothing } from '../list-filter.ts'
import type { Sorting } from '../list-filter.ts'
import { pathWith } from '../view-address.ts'

export type EdgeSort = (typeof edgeSorts)[number]

/** Which deployments are listed and in which order; it stands in the address, and the exports have the same. */
export interface EdgeListFilter extends Sorting<EdgeSort> {
  q: string
  region: string | null
  status: string | null
}

export const allEdge: EdgeListFilter = { q: '', region: null, status: null, sort: 'agent', order: 'asc' }

export function readEdgeFilter(search: string): EdgeListFilter {
  const params = new URLSearchParams(search)
  return {
    q: readText(params, 'q', 100) ?? '',
    region: readText(params, 'region'),
    status: readText(params, 'status'),
    sort: edgeSorts.find((sort) => sort === params.get('sort')) ?? 'agent',
    order: params.get('order') === 'desc' ? 'desc' : 'asc',
  }
}

/** For the address and for the server; what is usual is left out. */
export function edgeQuery({ sort, order, ...rest }: EdgeListFilter): Record<string, string> {
  return withoutNothing({
    ...rest,
    sort: sort === 'agent' ? null : sort,
    order: order === 'asc' ? null : order,
  })
}

export function edgePath(filter: EdgeListFilter): string {
  return pathWith('/agents/edge', edgeQuery(filter))
}

/** Whether it leaves out any deployment. */
export function isEdgeNarrowed({ q, region, status }: EdgeListFilter): boolean {
  return q !== '' || region !== null || status !== null
}
