import { expect, test } from 'vitest'
import { keepPlaces, leftRows } from './keep-places.ts'

const rows = (...ids: number[]) => ids.map((id) => ({ id, seen: 1 }))
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

test('a new row waits, wherever the server lists it', () => {
  const kept = keepPlaces(null, rows(1, 2), 1)
  expect(ids(keepPlaces(kept, rows(1, 2, 3), 1).rows)).toEqual([1, 2])
  expect(ids(keepPlaces(kept, rows(3, 1, 2), 1).rows)).toEqual([1, 2])
})

test('a row that is listed no more keeps its place, and others are brought up to date', () => {
  const kept = keepPlaces(null, rows(1, 2, 3), 1)
  const next = keepPlaces(
    kept,
    [
      { id: 1, seen: 2 },
      { id: 3, seen: 2 },
    ],
    1,
  )
  expect(next.rows).toEqual([
    { id: 1, seen: 2 },
    { id: 2, seen: 1 },
    { id: 3, seen: 2 },
  ])
  expect(ids(leftRows(next.rows, rows(1, 3)))).toEqual([2])
})

test('a further page is added at the end, with what had moved up from it', () => {
  const kept = keepPlaces(null, rows(1, 2, 3), 1)
  const shifted = keepPlaces(kept, rows(2, 3, 4), 1)
  expect(ids(shifted.rows)).toEqual([1, 2, 3])
  expect(ids(keepPlaces(shifted, rows(9, 2, 3, 4, 5, 6), 2).rows)).toEqual([1, 2, 3, 4, 5, 6])
})
