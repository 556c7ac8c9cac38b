import { describe, expect, test } from 'vitest'
import { choice, day, facet, flag, named, searched, sorted, viewFilter } from './view-filter.ts'

const records = viewFilter(
  '/agents/records',
  {
    q: searched,
    tier: facet('tier'),
    state: choice(['running', 'crashed'], null, (state) => `Not only ${state}`),
    owner: named(20, (name) => `Not only those of ${name}`),
    unowned: flag('Also those with an owner'),
    by: choice(['model', 'agent'], 'model'),
    from: day,
    ...sorted(['agent', 'score']),
  },
  (filter) => (filter.unowned ? { ...filter, owner: null } : filter),
)

describe('the filter of a view', () => {
  test('can be read back from its own address, which omits defaults', () => {
    expect(records.path({})).toBe('/agents/records')
    const filter = {
      q: 'a & b',
      tier: 'gold',
      state: 'crashed',
      owner: 'in/out',
      unowned: false,
      by: 'agent',
      from: '2026-11-21',
      sort: 'score',
      order: 'desc',
    } as const
    const path = records.path(filter)
    expect(path).toBe(
      '/agents/records?q=a+%26+b&tier=gold&state=crashed&owner=in%2Fout&by=agent&from=2026-11-21&sort=score&order=desc',
    )
    expect(records.read(path.slice(path.indexOf('?')))).toEqual(filter)
    expect(records.read('unowned=true').unowned).toBe(true)
  })

  test('ignores unknown values and truncates long ones', () => {
    const odd = 'tier=&state=sleepy&unowned=yes&by=luck&from=2026-02-30&sort=height&order=up&row=7'
    expect(records.read(odd)).toEqual(records.defaults)
    expect(records.read(`q=${'x'.repeat(101)}&owner=${'y'.repeat(21)}`)).toMatchObject({
      q: 'x'.repeat(100),
      owner: 'y'.repeat(20),
    })
  })

  test('resolves fields that exclude each other', () => {
    expect(records.read('owner=a&unowned=true')).toMatchObject({ owner: null, unowned: true })
    expect(records.path({ owner: 'a', unowned: true })).toBe('/agents/records?unowned=true')
    expect(records.query({ owner: 'a', unowned: true }, ['owner', 'unowned'])).toEqual({ unowned: 'true' })
  })

  test('sends the server all parameters, or those that an endpoint knows', () => {
    expect(records.query({ q: 'a' })).toEqual({ q: 'a', by: 'model', sort: 'agent', order: 'asc' })
    expect(records.query({ q: 'a', unowned: true }, ['unowned', 'by'])).toEqual({
      unowned: 'true',
      by: 'model',
    })
  })
})

describe('links that widen a filter', () => {
  test('do not exist if the filter hides no row', () => {
    expect(records.drops(records.read('by=agent&sort=score&from=2026-11-21'))).toEqual([])
  })

  test('clear one field each, or all of them, and keep the sort order', () => {
    const filter = records.read('q=x&tier=gold&unowned=true&sort=score')
    expect(records.drops(filter).map(({ label, next }) => [label, records.path(next)])).toEqual([
      ['Clear search “x”', '/agents/records?tier=gold&unowned=true&sort=score'],
      ['Any tier, not just gold', '/agents/records?q=x&unowned=true&sort=score'],
      ['Also those with an owner', '/agents/records?q=x&tier=gold&sort=score'],
      ['Clear filters', '/agents/records?sort=score'],
    ])
    expect(records.drops(records.read('state=crashed'))).toHaveLength(1)
  })
})
