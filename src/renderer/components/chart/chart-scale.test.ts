import { expect, test } from 'vitest'
import { largestOf, linesOf, sumOf } from './chart-data.ts'
import type { ChartData } from './chart-data.ts'
import { labelStride, linePieces, stack, ticksFor } from './chart-scale.ts'

test.each([
  [6.4, [0, 2, 4, 6, 8]],
  [0.9, [0, 0.25, 0.5, 0.75, 1]],
  [100, [0, 25, 50, 75, 100]],
  [0, [0, 1]],
])('an axis up to %d has a few round steps from zero', (largest, ticks) => {
  expect(ticksFor(largest).ticks).toEqual(ticks)
})

test('an axis for whole numbers has whole steps', () => {
  expect(ticksFor(3, true).ticks).toEqual([0, 1, 2, 3])
  expect(ticksFor(1, true).ticks).toEqual([0, 1])
})

test('unknown values take no space in a bar and interrupt a line', () => {
  expect(stack([2, null, 3])).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 2 },
    { from: 2, to: 5 },
  ])
  expect(linePieces([1, null, 3, 4])).toEqual([
    [[0, 1]],
    [
      [2, 3],
      [3, 4],
    ],
  ])
})

test('an axis has as many labels as fit', () => {
  expect(labelStride(24, 600, 30)).toBe(2)
  expect(labelStride(24, 300, 40)).toBe(4)
  expect(labelStride(24, 2000, 30)).toBe(1)
})

const chart: ChartData = {
  kind: 'bars',
  series: [{ name: 'one' }, { name: 'two' }],
  points: [],
  format: (value) => `$${value}`,
  formatTick: (value) => `$${value}`,
}

test('the description of a point lists total, parts, unknown values and forecast', () => {
  const point = { title: '', tick: '', values: [2, null], forecast: 3 }
  expect(linesOf(chart, point)).toEqual(['total $2', 'one $2', 'two unknown', 'forecast: $3 more'])
  expect(linesOf(chart, { title: '', tick: '', values: [0, 0], forecast: 3 })).toEqual(['forecast $3'])
  expect(largestOf({ ...chart, points: [point] })).toBe(5)
  expect(sumOf({ title: '', tick: '', values: [null, null] })).toBeNull()
})
