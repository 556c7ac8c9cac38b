import { expect, test } from 'vitest'
import { noFilter, historyPath, isUnfiltered, readHistoryFilter } from './history-filter.ts'

test('the URL holds the whole filter, without the defaults', () => {
  expect(readHistoryFilter('')).toEqual(noFilter)
  expect(historyPath(noFilter)).toBe('/history')
  const filter = { kind: 'revoked', person: 3, from: '2026-11-01', to: '2026-11-21', q: 'csv & co' } as const
  const path = historyPath(filter)
  expect(path).toBe('/history?kind=revoked&person=3&from=2026-11-01&to=2026-11-21&q=csv+%26+co')
  expect(readHistoryFilter(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(isUnfiltered(filter)).toBe(false)
})

test('invalid query parameters are ignored', () => {
  expect(readHistoryFilter('?kind=lost&person=-1&from=2026-02-31&to=yesterday')).toEqual(noFilter)
})
