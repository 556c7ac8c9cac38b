import { expect, test } from 'vitest'
import {
  atLeast,
  atMost,
  findWorse,
  quantile,
  ratios,
  show,
  summarize,
  untargeted,
  verdict,
} from './figures.ts'

const even = (median: number, spread = 0) => ({ median, spread })

test('a figure is the median with the distance between the quartiles', () => {
  expect(summarize([5, 1, 3, 2, 4])).toEqual({ median: 3, spread: 2 })
  expect(summarize([7])).toEqual({ median: 7, spread: 0 })
  expect(quantile([1, 2], 0.5)).toBe(1.5)
  expect(summarize([]).median).toBeNaN()
})

test('a ratio compares both servers in the same round, by the processor time or by elapsed time', () => {
  const rounds = [
    { ours: { perSecond: 10, perCpuSecond: 40 }, peer: { perSecond: 20, perCpuSecond: 50 } },
    { ours: { perSecond: 30, perCpuSecond: 10 }, peer: { perSecond: 30, perCpuSecond: 40 } },
  ]
  expect(ratios(rounds, 'cpu')).toEqual([0.8, 0.25])
  expect(ratios(rounds, 'elapsed')).toEqual([0.5, 1])
})

test.each([
  [atLeast(0.6), 0.6, 'met'],
  [atLeast(0.6), 0.59, 'missed'],
  [atMost(15, 'ms'), 15, 'met'],
  [atMost(15, 'ms'), 15.1, 'missed'],
  [atMost(15, 'ms'), Number.NaN, 'missed'],
  [untargeted, 0, ''],
])('%j and %d: %s', (goal, median, expected) => {
  expect(verdict(goal, even(median))).toBe(expected)
})

test('a figure is worse than the baseline if it differs by more than a tenth and more than both spreads', () => {
  const goals = { reads: atLeast(0.6) }
  const worse = (now: ReturnType<typeof even>, before: ReturnType<typeof even>) =>
    findWorse({ reads: now }, { reads: before }, goals, 0.1)
  expect(worse(even(0.95), even(1))).toEqual([])
  expect(worse(even(0.89), even(1))).toEqual([
    { name: 'reads', change: '0.89 of peer, baseline 1.00, tolerance 0.10' },
  ])
  expect(worse(even(0.89, 0.05), even(1, 0.1))).toEqual([])
  expect(worse(even(2), even(1))).toEqual([])
  expect(worse(even(Number.NaN), even(1))).toHaveLength(1)
})

test('for costs, a higher figure is worse; memory may vary by 10 MiB', () => {
  const goals = { start: atMost(3, '× peer'), memory: atMost(100, 'MiB') }
  expect(findWorse({ start: even(3.4) }, { start: even(3) }, goals, 0.1)).toHaveLength(1)
  expect(findWorse({ start: even(2) }, { start: even(3) }, goals, 0.1)).toEqual([])
  expect(findWorse({ memory: even(12) }, { memory: even(3) }, goals, 0.1)).toEqual([])
  expect(findWorse({ memory: even(14) }, { memory: even(3) }, goals, 0.1)).toHaveLength(1)
})

test('absolute figures, which depend on the machine, and new figures are not compared', () => {
  const goals = { rate: atLeast(2000, '/s'), slowest: atMost(15, 'ms'), added: atLeast(1) }
  const figures = { rate: even(1), slowest: even(1000), added: even(0) }
  expect(findWorse(figures, { rate: even(3000), slowest: even(1) }, goals, 0.1)).toEqual([])
})

test('numbers have about three digits', () => {
  expect([12_345, 123.4, 12.34, 1.234, 0.0123, 0, -0.5].map(show)).toEqual([
    '12,345',
    '123',
    '12.3',
    '1.23',
    '0.012',
    '0.00',
    '-0.50',
  ])
})
