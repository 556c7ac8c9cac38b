import { expect, test } from 'vitest'
import {
  daysOf,
  endWords,
  firstRange,
  periodLabel,
  periodParams,
  periodQuery,
  readPeriod,
  timeWords,
} from './period.ts'

const now = Date.parse('2026-11-20T10:42:07Z')
const offered = ['today', '7 days', 'month', 'range'] as const

test('a period is read from the address, and what is not offered is what the view usually shows', () => {
  expect(readPeriod('period=7+days', offered, 'month')).toEqual({ period: '7 days', from: null, to: null })
  expect(readPeriod('', offered, 'month').period).toBe('month')
  expect(readPeriod('period=hour', offered, 'month').period).toBe('month')
  expect(readPeriod('period=year', offered, 'month').period).toBe('month')
})

test('days count with a range only, and only those that exist', () => {
  const range = { period: 'range', from: '2026-11-03', to: '2026-11-09' } as const
  expect(readPeriod('period=range&from=2026-11-03&to=2026-11-09', offered, 'month')).toEqual(range)
  expect(readPeriod('period=range&from=2026-02-30&to=soon', offered, 'month')).toEqual({
    period: 'range',
    from: null,
    to: null,
  })
  expect(readPeriod('period=today&from=2026-11-03', offered, 'month').from).toBeNull()
})

test('the address leaves out what is usual; the server is told all', () => {
  const month = { period: 'month', from: null, to: null } as const
  expect(periodParams(month, 'month')).toEqual({ period: null, from: null, to: null })
  expect(periodQuery(month)).toEqual({ period: 'month' })
  expect(periodQuery(firstRange(now))).toEqual({ period: 'range', from: '2026-11-14', to: '2026-11-20' })
})

test('a time is named as people do, in UTC', () => {
  const month = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' }
  expect(periodLabel('month', now)).toBe('November')
  expect(timeWords('month', month, now)).toBe('in November')
  expect(timeWords('7 days', month, now)).toBe('in 7 days')
  expect(timeWords('range', { ...month, to: '2026-11-04T00:00:00.000Z' }, now)).toBe('1 Nov to 3 Nov')
  expect(timeWords('range', { ...month, to: '2026-11-02T00:00:00.000Z' }, now)).toBe('on 1 Nov')
  expect(endWords(month, now)).toBe('30 Nov')
  expect(endWords({ ...month, to: '2026-11-21T00:00:00.000Z' }, now)).toBe('midnight UTC')
  expect(daysOf(month)).toBe(30)
})
