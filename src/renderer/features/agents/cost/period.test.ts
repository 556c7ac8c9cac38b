import { expect, test } from 'vitest'
import {
  brokerFilter,
  brokerQuery,
  budgetQuery,
  costFilter,
  costQuery,
  daysOf,
  eventQuery,
  firstRange,
  periodEnd,
  periodLabel,
  periodPhrase,
} from './period.ts'

const now = Date.parse('2026-11-20T10:42:07Z')

test('periods have names in UTC', () => {
  const month = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' }
  expect(periodLabel('month', now)).toBe('November')
  expect(periodPhrase('month', month, now)).toBe('in November')
  expect(periodPhrase('7 days', month, now)).toBe('in the last 7 days')
  expect(periodPhrase('range', { ...month, to: '2026-11-04T00:00:00.000Z' }, now)).toBe('from 1 Nov to 3 Nov')
  expect(periodPhrase('range', { ...month, to: '2026-11-02T00:00:00.000Z' }, now)).toBe('on 1 Nov')
  expect(periodEnd(month, now)).toBe('30 Nov')
  expect(periodEnd({ ...month, to: '2026-11-21T00:00:00.000Z' }, now)).toBe('midnight UTC')
  expect(daysOf(month)).toBe(30)
  expect(firstRange(now)).toEqual({ period: 'range', from: '2026-11-14', to: '2026-11-20' })
})

const searchOf = (path: string): string => path.split('?')[1] ?? ''

test('the path of the cost view has all filters except defaults', () => {
  expect(costFilter.path({})).toBe('/agents/cost')
  const search = 'period=range&from=2026-11-03&to=2026-11-09&agent=a%26b&by=agent&marked=true'
  const filter = costFilter.read(search)
  expect(costFilter.read(searchOf(costFilter.path(filter)))).toEqual(filter)
  expect(costQuery(filter)).toEqual({
    period: 'range',
    from: '2026-11-03',
    to: '2026-11-09',
    agent: 'a&b',
    by: 'agent',
  })
  expect(eventQuery(filter)).toEqual({ period: 'range', from: '2026-11-03', to: '2026-11-09', agent: 'a&b' })
  expect(budgetQuery(filter)).toEqual({ agent: 'a&b', marked: 'true' })
})

test('the path of the broker view has all filters except defaults', () => {
  expect(brokerFilter.path({})).toBe('/agents/broker')
  const filter = brokerFilter.read('period=30+days&type=llm&handler=large')
  expect(brokerFilter.read(searchOf(brokerFilter.path(filter)))).toEqual(filter)
  expect(brokerFilter.query(filter)).toEqual({ period: '30 days', type: 'llm', handler: 'large' })
  expect(brokerQuery(filter)).toEqual({ period: '30 days' })
  expect(brokerFilter.read('type=magic&period=month')).toEqual(brokerFilter.defaults)
})

test('only a range has days', () => {
  const days = 'from=2026-11-03&to=2026-11-09'
  expect(costFilter.read(days)).toEqual(costFilter.defaults)
  expect(costFilter.read(`period=range&${days}`)).toMatchObject({ from: '2026-11-03', to: '2026-11-09' })
  expect(costFilter.path({ period: 'today', from: '2026-11-03' })).toBe('/agents/cost?period=today')
})
