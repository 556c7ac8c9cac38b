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

test('where only whole numbers are, no step is a part of one', () => {
  expect(ticksFor(3, true).ticks).toEqual([0, 1, 2, 3])
  expect(ticksFor(1, true).ticks).toEqual([0, 1])
})

test('unknown values take no place in a bar, and break a line', () => {
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

test('as many labels are drawn as there is room for', () => {
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

test('what a point says names its parts, what is unknown, and what is still to come', () => {
  const point = { title: '', tick: '', values: [2, null], expected: 3 }
  expect(linesOf(chart, point)).toEqual(['together $2', 'one $2', 'two unknown', 'still expected $3'])
  expect(linesOf(chart, { title: '', tick: '', values: [0, 0], expected: 3 })).toEqual(['expected $3'])
  expect(largestOf({ ...chart, points: [point] })).toBe(5)
  expect(sumOf({ title: '', tick: '', values: [null, null] })).toBeNull()
})
