import { expect, test } from 'vitest'
import { walkRows } from './decided-rows.ts'

const walk = walkRows({
  rows: [10, 11, 12, 13].map((id) => ({ id, isPending: id !== 11 })),
  start: 100,
  total: 104,
  visible: { first: 102, end: 104 },
  recent: [{ id: 7, isPending: false }],
  isWaiting: ({ isPending }) => isPending,
})

test('a place counts from the start of the whole list', () => {
  expect(walk.placeOf(12)).toBe(102)
  expect(walk.rowAt(103)?.id).toBe(13)
  expect(walk.placeOf(99)).toBeNull()
  expect(walk.placeOf(null)).toBeNull()
})

test('recently decided rows follow the last row of the list, and the last of them has no next row', () => {
  expect(walk.neighbor(10, 1)).toBe(11)
  expect(walk.neighbor(13, 1)).toBe(7)
  expect(walk.neighbor(7, -1)).toBe(13)
  expect(walk.neighbor(7, 1)).toBeUndefined()
  expect(walk.neighbor(10, -1)).toBeUndefined()
})

test('without a current row, the first visible row is next', () => {
  expect(walk.neighbor(null, 1)).toBe(12)
  expect(walk.neighbor(99, -1)).toBe(12)
})

test('the next pending row is after the current one, else before it, and never the current one', () => {
  expect(walk.nextPending(10)).toBe(12)
  expect(walk.nextPending(13)).toBe(12)
  expect(walk.nextPending(null)).toBe(10)
})
