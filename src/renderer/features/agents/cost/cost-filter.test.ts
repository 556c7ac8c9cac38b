import { expect, test } from 'vitest'
import { brokerPath, readBrokerFilter, routeQuery } from '../broker/broker-filter.ts'
import { budgetQuery, costPath, costQuery, eventQuery, readCostFilter } from './cost-filter.ts'

const searchOf = (path: string): string => path.split('?')[1] ?? ''

test('the address of the cost holds every filter, and what is usual is left out', () => {
  expect(costPath(readCostFilter(''))).toBe('/agents/cost')
  const search = 'period=range&from=2026-11-03&to=2026-11-09&agent=a%26b&by=agent&marked=true'
  const filter = readCostFilter(search)
  expect(readCostFilter(searchOf(costPath(filter)))).toEqual(filter)
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

test('the address of the broker holds every filter, and what is usual is left out', () => {
  expect(brokerPath(readBrokerFilter(''))).toBe('/agents/broker')
  const filter = readBrokerFilter('period=30+days&type=llm&handler=large')
  expect(readBrokerFilter(searchOf(brokerPath(filter)))).toEqual(filter)
  expect(routeQuery(filter)).toEqual({ period: '30 days', type: 'llm', handler: 'large' })
  expect(readBrokerFilter('type=magic&period=month')).toEqual(readBrokerFilter(''))
})
