import { expect, test } from 'vitest'
import { everything, historyPath, isEverything, readHistoryFilter } from './history-filter.ts'

test('an address holds the whole filter, and everything has none', () => {
  expect(readHistoryFilter('')).toEqual(everything)
  expect(historyPath(everything)).toBe('/history')
  const filter = { kind: 'revoked', person: 3, from: '2026-11-01', to: '2026-11-21', q: 'csv & co' } as const
  const path = historyPath(filter)
  expect(path).toBe('/history?kind=revoked&person=3&from=2026-11-01&to=2026-11-21&q=csv+%26+co')
  expect(readHistoryFilter(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(isEverything(filter)).toBe(false)
})

test('what an address cannot mean is left out', () => {
  expect(readHistoryFilter('?kind=lost&person=-1&from=2026-02-31&to=yesterday')).toEqual(everything)
})
