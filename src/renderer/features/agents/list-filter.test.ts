import { describe, expect, test } from 'vitest'
import { allEdge, edgePath, edgeQuery, isEdgeNarrowed, readEdgeFilter } from './edge/edge-filter.ts'
import { sortableColumns } from './list-filter.ts'
import type { Sorting } from './list-filter.ts'
import { allTrust, isTrustNarrowed, readTrustFilter, trustPath, trustQuery } from './trust/trust-filter.ts'

describe('the filters of trust and edge', () => {
  test('stand in the address and come back from it, without what is usual', () => {
    expect(trustPath(allTrust)).toBe('/agents/trust')
    expect(edgePath(allEdge)).toBe('/agents/edge')
    const trust = { ...allTrust, q: 'a b', tier: 'gold', rating: 'A+', sort: 'score', order: 'desc' } as const
    expect(readTrustFilter(trustPath(trust).split('?')[1] ?? '')).toEqual(trust)
    expect(trustQuery(trust)).toEqual({ q: 'a b', tier: 'gold', rating: 'A+', sort: 'score', order: 'desc' })
    const edge = { ...allEdge, region: 'eu-west', status: 'active', sort: 'deployed' } as const
    expect(readEdgeFilter(edgePath(edge).split('?')[1] ?? '')).toEqual(edge)
    expect(edgeQuery(edge)).toEqual({ region: 'eu-west', status: 'active', sort: 'deployed' })
  })

  test('leave aside what they do not know, and tell whether they leave out anything', () => {
    expect(readTrustFilter('sort=height&order=up&tier=')).toEqual(allTrust)
    expect(readEdgeFilter('sort=height')).toEqual(allEdge)
    expect(isTrustNarrowed({ ...allTrust, sort: 'score' })).toBe(false)
    expect(isTrustNarrowed({ ...allTrust, tier: 'gold' })).toBe(true)
    expect(isEdgeNarrowed({ ...allEdge, region: 'eu' })).toBe(true)
  })
})

test('a head orders the table by its column, begins as suits it, and turns the order round', () => {
  const asked: Sorting<'name' | 'score'>[] = []
  const heads = [
    { key: 'name', label: 'Name', sort: 'name' },
    { key: 'score', label: 'Score', sort: 'score', descends: true },
  ] as const
  const [name, score] = sortableColumns(heads, { sort: 'name', order: 'asc' }, (one) => asked.push(one))
  expect([name?.sort, score?.sort]).toEqual(['ascending', 'none'])
  name?.onSort()
  score?.onSort()
  expect(asked).toEqual([
    { sort: 'name', order: 'desc' },
    { sort: 'score', order: 'desc' },
  ])
})
