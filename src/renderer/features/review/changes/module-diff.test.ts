import { expect, test } from 'vitest'
import { changeWords, compareNames, compareSections, growthWords, largestSizes } from './module-diff.ts'

test('names that came and went', () => {
  expect(compareNames(['fd_read', 'fd_write'], ['fd_write', 'path_open'])).toEqual({
    added: ['path_open'],
    removed: ['fd_read'],
    asBefore: 1,
  })
})

test('sections stand side by side, and two of the same name are told apart', () => {
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

test('of many sections, those that matter stay in their order', () => {
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

test('changes in words', () => {
  expect(changeWords({ before: 101_940, after: 112_816 })).toBe('+10,876')
  expect(changeWords({ before: 8, after: 5 })).toBe('−3')
  expect(changeWords({ before: 5, after: 5 })).toBe('as before')
  expect(changeWords({ before: null, after: 5 })).toBe('new')
  expect(changeWords({ before: 5, after: null })).toBe('gone')
  expect(growthWords(171_806, 184_302)).toBe('+7.3 %')
  expect(growthWords(1000, 500)).toBe('−50.0 %')
  expect(growthWords(100_000, 100_001)).toBe('+1')
  expect(growthWords(100, 100)).toBe('as before')
})
