import { expect, test } from 'vitest'
import { auditLogFilter, isUnfiltered } from './audit-log-filter.ts'

test('the URL holds the whole filter, without the defaults', () => {
  expect(auditLogFilter.read('')).toEqual(auditLogFilter.defaults)
  expect(auditLogFilter.path({})).toBe('/history')
  const filter = {
    kind: 'revoked',
    person: '3',
    about: 'upper-case',
    from: '2026-11-01',
    to: '2026-11-21',
    q: 'csv & co',
  } as const
  const path = auditLogFilter.path(filter)
  expect(path).toBe(
    '/history?kind=revoked&person=3&about=upper-case&from=2026-11-01&to=2026-11-21&q=csv+%26+co',
  )
  expect(auditLogFilter.read(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(isUnfiltered(filter)).toBe(false)
})

test('invalid query parameters are ignored', () => {
  const search = '?kind=lost&person=-1&from=2026-02-31&to=yesterday'
  expect(auditLogFilter.read(search)).toEqual(auditLogFilter.defaults)
})
