import { describe, expect, test } from 'vitest'
import { auditPath, auditQuery, isAuditNarrowed, readAuditFilter, wholeAudit } from './audit-filter.ts'

const now = Date.parse('2026-11-22T10:42:07Z')
const query = (search: string): object => auditQuery(readAuditFilter(search), now)

describe('the filter of the audit', () => {
  test('stands in the address and comes back from it', () => {
    const filter = {
      ...wholeAudit,
      q: 'exit 1',
      agent: 'a&b',
      event: 'tool.call',
      time: 'range',
      from: '2026-11-01',
      to: '2026-11-03',
      trouble: true,
    } as const
    const [path, search = ''] = auditPath(filter).split('?')
    expect(path).toBe('/agents/audit')
    expect(readAuditFilter(search)).toEqual(filter)
    expect(auditPath(wholeAudit)).toBe('/agents/audit')
    expect(isAuditNarrowed(filter)).toBe(true)
    expect(isAuditNarrowed(wholeAudit)).toBe(false)
  })

  test('asks for whole days in UTC', () => {
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

  test('leaves aside what it does not know', () => {
    expect(readAuditFilter('time=never&from=2026-11-01&trouble=yes')).toEqual(wholeAudit)
    expect(readAuditFilter('time=range&from=tomorrow&to=2026-99-01')).toEqual({
      ...wholeAudit,
      time: 'range',
    })
  })
})
