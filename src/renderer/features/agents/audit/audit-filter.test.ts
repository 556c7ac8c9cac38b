import { describe, expect, test } from 'vitest'
import { auditFilter, auditQuery } from './audit-filter.ts'

const now = Date.parse('2026-11-22T10:42:07Z')
const query = (search: string): object => auditQuery(auditFilter.read(search), now)

describe('the filter of the audit', () => {
  test('requests whole days in UTC', () => {
    expect(query('time=today')).toEqual({ from: '2026-11-22T00:00:00.000Z' })
    expect(query('time=yesterday')).toEqual({
      from: '2026-11-21T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
    })
    expect(query('time=7 days')).toEqual({ from: '2026-11-16T00:00:00.000Z' })
    expect(query('time=30 days')).toEqual({ from: '2026-10-24T00:00:00.000Z' })
    const days = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' }
    expect(query('time=range&from=2026-11-01&to=2026-11-03')).toEqual(days)
    expect(query('time=range&from=2026-11-03&to=2026-11-01')).toEqual(days)
    expect(query('time=range&to=2026-11-03')).toEqual({ to: days.to })
    expect(query('time=range')).toEqual({})
  })

  test('only has days with a range, and clears them with it', () => {
    expect(auditFilter.read('time=never&from=2026-11-01&trouble=yes')).toEqual(auditFilter.defaults)
    const filter = auditFilter.read('q=exit+1&time=range&from=2026-11-01')
    expect(auditFilter.drops(filter).map(({ label, next }) => [label, auditFilter.path(next)])).toEqual([
      ['Clear search “exit 1”', '/agents/audit?time=range&from=2026-11-01'],
      ['Any time', '/agents/audit?q=exit+1'],
      ['Clear filters', '/agents/audit'],
    ])
  })
})
