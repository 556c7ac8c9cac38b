import { expect, test } from 'vitest'
import {
  brokerFilter,
  brokerQuery,
  budgetQuery,
  costFilter,
  costQuery,
  eventQuery,
} from './period-filters.ts'

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
