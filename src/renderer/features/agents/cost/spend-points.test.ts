import { expect, test } from 'vitest'
import type { SpendChart } from '../../../../shared/contracts/desk-agents-cost.ts'
import { spendData } from './spend-points.ts'

const now = Date.parse('2026-11-20T10:30:00Z')

const chart = (change: Partial<SpendChart> = {}): SpendChart => ({
  by: 'model',
  bucket: 'hour',
  series: [
    { name: 'claude-sonnet', others: false },
    { name: null, others: false },
    { name: null, others: true },
  ],
  buckets: [
    {
      from: '2026-11-20T09:00:00.000Z',
      to: '2026-11-20T10:00:00.000Z',
      cents: [640, null, 0],
      spend: { cents: 640, calls: 9, unpriced: 2 },
      expectedCents: null,
    },
    {
      from: '2026-11-20T10:00:00.000Z',
      to: '2026-11-20T11:00:00.000Z',
      cents: [0, 0, 0],
      spend: { cents: 0, calls: 0, unpriced: 0 },
      expectedCents: 450,
    },
  ],
  now: '2026-11-20T10:30:00.000Z',
  ...change,
})

test('spend is in dollars, unknown stays unknown, and the current time is marked', () => {
  expect(spendData(chart(), now).series).toEqual([
    { name: 'claude-sonnet' },
    { name: 'unnamed model' },
    { name: 'others', color: 'c5' },
  ])
  expect(spendData(chart(), now).points).toEqual([
    { title: '09:00 to 10:00', tick: '09', values: [6.4, null, 0], forecast: null },
    { title: '10:00 to 11:00', tick: '10', values: [0, 0, 0], forecast: 4.5 },
  ])
  expect(spendData(chart(), now).now).toBe(1.5)
  expect(spendData(chart({ now: null }), now).now).toBeNull()
  expect(spendData(chart({ now: '2026-11-20T11:00:00.000Z' }), now).now).toBeNull()
})

test('days, and hours of several days, include the date', () => {
  const [first, second] = chart().buckets
  if (first === undefined || second === undefined) throw new Error('Expected two buckets')
  const earlier = { ...first, from: '2026-11-19T09:00:00.000Z', to: '2026-11-19T10:00:00.000Z' }
  const titles = (data: SpendChart) => spendData(data, now).points.map(({ title }) => title)
  expect(titles(chart({ buckets: [earlier, second] }))).toEqual([
    '19 Nov, 09:00 to 10:00',
    '20 Nov, 10:00 to 11:00',
  ])
  expect(titles(chart({ bucket: 'day', buckets: [earlier, second] }))).toEqual(['19 Nov', '20 Nov'])
})

test('without calls there is one series, with $0 rather than unknown', () => {
  const spend = { cents: 0, calls: 0, unpriced: 0 }
  const buckets = chart().buckets.map((bucket) => ({ ...bucket, cents: [], spend }))
  const empty = chart({ series: [], buckets })
  expect(spendData(empty, now).series).toEqual([{ name: 'spent' }])
  expect(spendData(empty, now).points.map(({ values }) => values)).toEqual([[0], [0]])
})
