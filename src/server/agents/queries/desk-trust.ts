import type { AgentTrust, trustSorts } from '../../../shared/contracts/desk-agents-tables.ts'
import { agentIndexOf } from '../memory/agent-index.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { deskQuery } from '../memory/desk-query.ts'
import type { KnownTrust } from '../memory/small-tables.ts'
import { sortRows } from '../memory/sort-rows.ts'
import type { SortKey } from '../memory/sort-rows.ts'

export interface TrustParams {
  q?: string | undefined
  tier?: string | undefined
  rating?: string | undefined
  status?: string | undefined
  sort: (typeof trustSorts)[number]
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

export type Facet = { name: string; rows: number }[]

export interface TrustValue {
  items: AgentTrust[]
  total: number
  tiers: Facet
  ratings: Facet
  statuses: Facet
}

export const toTrust = (memory: AgentsMemory, record: KnownTrust): AgentTrust => ({
  ...record,
  known: agentIndexOf(memory).has(record.agent),
})

/** Values with how many rows have them, by name; null is none. */
export function facetOf(values: readonly (string | null)[]): Facet {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([name, rows]) => ({ name, rows }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export const deskTrust = deskQuery<TrustParams, TrustValue>({
  needs: ['trust', 'agents'],
  compute({ memory }, params) {
    const { rows } = memory.trust
    const text = params.q?.toLowerCase() ?? ''
    const found = rows.filter(
      (record) =>
        isOf(params.tier, record.tier) &&
        isOf(params.rating, record.rating) &&
        isOf(params.status, record.status) &&
        (text === '' || [record.agent, record.auid].some((part) => part?.toLowerCase().includes(text))),
    )
    const sorted = sortRows(found, keyOf(params.sort), params.order, ({ agent }) => agent)
    return {
      items: sorted
        .slice(params.offset, params.offset + params.limit)
        .map((record) => toTrust(memory, record)),
      total: found.length,
      tiers: facetOf(rows.map(({ tier }) => tier)),
      ratings: facetOf(rows.map(({ rating }) => rating)),
      statuses: facetOf(rows.map(({ status }) => status)),
    }
  },
  empty: () => ({ items: [], total: 0, tiers: [], ratings: [], statuses: [] }),
})

export const isOf = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === value

function keyOf(sort: TrustParams['sort']): (record: KnownTrust) => SortKey {
  return sort === 'verified' ? ({ verifiedAt }) => verifiedAt : (record) => record[sort]
}
