import { expect, test } from 'vitest'
import { historyFilter, isUnfiltered } from './history-filter.ts'

test('the URL holds the whole filter, without the defaults', () => {
  expect(historyFilter.read('')).toEqual(historyFilter.defaults)
  expect(historyFilter.path({})).toBe('/history')
  const filter = {
    kind: 'revoked',
    person: '3',
    about: 'upper-case',
    from: '2026-11-01',
    to: '2026-11-21',
    q: 'csv & co',
  } as const
  const path = historyFilter.path(filter)
  expect(path).toBe(
    '/history?kind=revoked&person=3&about=upper-case&from=2026-11-01&to=2026-11-21&q=csv+%26+co',
  )
  expect(historyFilter.read(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(isUnfiltered(filter)).toBe(false)
})

test('invalid query parameters are ignored', () => {
  const search = '?kind=lost&person=-1&from=2026-02-31&to=yesterday'
  expect(historyFilter.read(search)).toEqual(historyFilter.defaults)
})
