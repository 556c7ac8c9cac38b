import { expect, test } from 'vitest'
import { daysOf, periodEnd, firstRange, periodLabel, periodPhrase } from './period.ts'

const now = Date.parse('2026-11-20T10:42:07Z')

test('periods have names in UTC', () => {
  const month = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' }
  expect(periodLabel('month', now)).toBe('November')
  expect(periodPhrase('month', month, now)).toBe('in November')
  expect(periodPhrase('7 days', month, now)).toBe('in the last 7 days')
  expect(periodPhrase('range', { ...month, to: '2026-11-04T00:00:00.000Z' }, now)).toBe('1 Nov to 3 Nov')
  expect(periodPhrase('range', { ...month, to: '2026-11-02T00:00:00.000Z' }, now)).toBe('on 1 Nov')
  expect(periodEnd(month, now)).toBe('30 Nov')
  expect(periodEnd({ ...month, to: '2026-11-21T00:00:00.000Z' }, now)).toBe('midnight UTC')
  expect(daysOf(month)).toBe(30)
  expect(firstRange(now)).toEqual({ period: 'range', from: '2026-11-14', to: '2026-11-20' })
})
