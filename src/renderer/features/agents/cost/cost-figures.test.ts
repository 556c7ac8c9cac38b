import { expect, test } from 'vitest'
import type { AgentCost } from '../../../../shared/contracts/desk-agents-cost.ts'
import { costFigures, tokenFormat, tokenAmount } from './cost-figures.ts'

const now = Date.parse('2026-11-20T10:42:07Z')

const cost = (change: Partial<AgentCost> = {}): AgentCost => ({
  stamp: {
    folder: '/projects/one',
    state: 'ready',
    sentence: null,
    changedAt: null,
    readAt: '2026-11-20T10:42:07.000Z',
    missingTables: [],
    counting: null,
  },
  time: { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
  spent: { cents: 97_540, calls: 31_256, unpriced: 212 },
  expected: {
    cents: 159_400,
    lowCents: 151_000,
    highCents: 168_000,
    days: 14,
    until: '2026-12-01T00:00:00.000Z',
  },
  budgetsCents: 160_700,
  unpriced: { calls: 212, tokensIn: 900_000, tokensOut: 200_000, models: ['qwen3-14b'] },
  chart: null,
  groups: { items: [], total: 0 },
  together: null,
  ...change,
})

const figures = (change?: Partial<AgentCost>) => costFigures(cost(change), 'month', now)

test('each figure has a label, a value and a note', () => {
  expect(figures()).toEqual([
    { label: 'Spent in November', value: '$975.40', note: '31,044 priced calls' },
    {
      label: 'Forecast by 30 Nov',
      value: '$1,594.00',
      note: 'between $1,510.00 and $1,680.00, based on 14 days',
    },
    { label: 'Total budget', value: '$1,607.00', note: 'all budgets, scaled to 30 days' },
    { label: 'Unpriced', value: '212 calls', note: '1.1M tokens of qwen3-14b; not in the total' },
  ])
})

test('unknown values are “unknown” with a reason, never $0', () => {
  const counting = { ...cost().stamp, counting: { done: 1200, total: 1_000_000 } }
  const values = figures({ spent: null, expected: null, budgetsCents: null, stamp: counting })
  expect(values.map(({ value }) => value)).toEqual(['unknown', 'unknown', 'none', 'unknown'])
  expect(values[0]?.note).toBe('counting: 1,200 of 1,000,000 rows')
  const missing = { ...cost().stamp, missingTables: ['cost_events', 'cost_budgets'] }
  const without = figures({ spent: null, expected: null, budgetsCents: null, stamp: missing })
  expect(without.map(({ value }) => value)).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
  expect(without[0]?.note).toBe('the database has no table cost_events')
  const unpriced = { calls: 3, tokensIn: null, tokensOut: null, models: ['a', null, 'b'] }
  const allUnpriced = figures({ spent: { cents: null, calls: 3, unpriced: 3 }, unpriced })
  expect(allUnpriced[0]?.value).toBe('unknown')
  expect(allUnpriced[3]?.note).toBe('an unknown number of tokens of a and 2 more models; not in the total')
})

test('a past period has no forecast', () => {
  const time = { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }
  const [, forecast] = figures({ time, expected: null })
  expect(forecast).toEqual({ label: 'Forecast by 31 Oct', value: 'ended', note: 'this period is over' })
})

test('without calls the spend is $0, not unknown', () => {
  const nothing = { calls: 0, tokensIn: null, tokensOut: null, models: [] }
  const values = figures({ spent: { cents: 0, calls: 0, unpriced: 0 }, unpriced: nothing })
  expect(values[0]).toMatchObject({ value: '$0.00', note: '0 priced calls' })
  expect(values[3]).toMatchObject({ value: '0 calls', note: 'no calls' })
})

test('the token counts of a column have one unit', () => {
  const large = tokenFormat([48_100_000, 212, null])
  expect([48_100_000, 1_234_567_890, 949_999, 212, 0, null].map(large)).toEqual([
    '48.1M',
    '1,234.6M',
    '0.9M',
    '<0.1M',
    '0.0M',
    'unknown',
  ])
  const small = tokenFormat([48_100, 212, null])
  expect([48_100, 212, 0, null].map(small)).toEqual(['48,100', '212', '0', 'unknown'])
})

test('an amount in a sentence has a unit', () => {
  expect(tokenAmount(1_100_000)).toBe('1.1M tokens')
  expect(tokenAmount(1)).toBe('1 token')
  expect(tokenAmount(null)).toBe('an unknown number of tokens')
})
