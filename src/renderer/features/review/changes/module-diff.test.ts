import { expect, test } from 'vitest'
import { formatChange, compareNames, compareSections, formatGrowth, largestSizes } from './module-diff.ts'

test('added and removed names', () => {
  expect(compareNames(['fd_read', 'fd_write'], ['fd_write', 'path_open'])).toEqual({
    added: ['path_open'],
    removed: ['fd_read'],
    unchanged: 1,
  })
})

test('sections are paired in file order, even those of the same name', () => {
  const before = [
    { name: 'code', size: 10 },
    { name: 'note', size: 1 },
    { name: 'note', size: 2 },
    { name: 'old', size: 5 },
  ]
  const after = [
    { name: 'note', size: 1 },
    { name: 'code', size: 12 },
    { name: 'note', size: 3 },
    { name: 'new', size: 7 },
  ]
  expect(compareSections(before, after)).toEqual([
    { name: 'note', before: 1, after: 1 },
    { name: 'code', before: 10, after: 12 },
    { name: 'note', before: 2, after: 3 },
    { name: 'new', before: null, after: 7 },
    { name: 'old', before: 5, after: null },
  ])
})

test('the largest and most changed sections are kept in file order', () => {
  const rows = [
    { name: 'type', before: 10, after: 10 },
    { name: 'import', before: 20, after: 90 },
    { name: 'code', before: 5000, after: 5000 },
    { name: 'data', before: 300, after: 300 },
    { name: 'name', before: 12, after: null },
  ]
  const { shown, others } = largestSizes(rows, 3)
  expect(shown.map(({ name }) => name)).toEqual(['import', 'code', 'data'])
  expect(others.map(({ name }) => name)).toEqual(['type', 'name'])
  expect(largestSizes(rows, 4).others).toEqual([])
})

test('changes are formatted', () => {
  expect(formatChange({ before: 101_940, after: 112_816 })).toBe('+10,876')
  expect(formatChange({ before: 8, after: 5 })).toBe('−3')
  expect(formatChange({ before: 5, after: 5 })).toBe('unchanged')
  expect(formatChange({ before: null, after: 5 })).toBe('new')
  expect(formatChange({ before: 5, after: null })).toBe('removed')
  expect(formatGrowth(171_806, 184_302)).toBe('+7.3%')
  expect(formatGrowth(1000, 500)).toBe('−50.0%')
  expect(formatGrowth(100_000, 100_001)).toBe('+1')
  expect(formatGrowth(100, 100)).toBe('unchanged')
})
