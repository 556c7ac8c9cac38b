import { expect, test } from 'vitest'
import { isNear, mergeRead, openWindow, rangeToRead, trimWindow, wantedPlaces } from './list-window.ts'
import type { ListWindow, RowsRead } from './list-window.ts'

interface Row {
  id: number
  seen: number
}

/** The server's list, from which pages are read. */
const read = (ids: readonly number[], from: number, to: number, seen = 1): RowsRead<Row> => ({
  from,
  rows: ids.slice(from, to).map((id) => ({ id, seen })),
  total: ids.length,
})
const count = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)
const idAt = ({ start, rows }: ListWindow<Row>, place: number) => rows[place - start]?.id
const without = (ids: readonly number[], ...gone: number[]) => ids.filter((id) => !gone.includes(id))

test('a new row waits, wherever the server lists it', () => {
  const window = openWindow(read([1, 2], 0, 100))
  expect(mergeRead(window, read([1, 2, 3], 0, 100)).rows.map(({ id }) => id)).toEqual([1, 2])
  expect(mergeRead(window, read([3, 1, 2], 0, 100)).rows.map(({ id }) => id)).toEqual([1, 2])
  expect(mergeRead(window, read([1, 3, 2], 0, 100)).total).toBe(2)
})

test('a row that is listed no more keeps its place, and the others are brought up to date', () => {
  const window = openWindow(read([1, 2, 3], 0, 100))
  const next = mergeRead(window, read([1, 3], 0, 100, 2))
  expect(next.rows).toEqual([
    { id: 1, seen: 2 },
    { id: 2, seen: 1 },
    { id: 3, seen: 2 },
  ])
  expect([...next.left]).toEqual([2])
  expect(next.total).toBe(3)
  expect([...mergeRead(next, read([1, 2, 3], 0, 100)).left]).toEqual([])
})

test('the only row stays when it is decided', () => {
  const window = mergeRead(openWindow(read([1], 0, 100)), read([], 0, 100))
  expect(window.rows.map(({ id }) => id)).toEqual([1])
  expect(window.total).toBe(1)
})

test('going on after decisions shows every row once: what moved up is found', () => {
  const all = count(0, 400)
  let window = openWindow(read(all, 0, 100))
  expect(window.total).toBe(400)
  const later = without(all, 3, 4, 5)
  window = mergeRead(window, read(later, 0, 100))
  expect(idAt(window, 4)).toBe(4)
  expect(rangeToRead(window, { first: 0, end: 200 })).toEqual({ from: 0, to: 200 })
  window = mergeRead(window, read(later, 0, 200))
  expect([99, 100, 101, 150].map((place) => idAt(window, place))).toEqual([99, 100, 101, 150])
  window = mergeRead(window, read(later, 0, 400))
  expect(window.rows.map(({ id }) => id)).toEqual(all)
  expect(window.total).toBe(400)
})

test('places whose rows were decided elsewhere and never read are given up at the end', () => {
  const all = count(0, 250)
  const window = openWindow(read(all, 0, 100))
  const later = without(all, 200, 201, 202)
  const next = mergeRead(window, read(later, 0, 300))
  expect(next.total).toBe(247)
  expect(next.rows).toHaveLength(247)
})

test('when everything that was read is decided, what follows is found all the same', () => {
  const all = count(0, 150)
  const window = mergeRead(openWindow(read(all, 0, 100)), read(all.slice(100), 0, 100))
  expect(window.rows.map(({ id }) => id)).toEqual(all)
  expect(window.left.size).toBe(100)
  expect(window.total).toBe(150)
})

test('a jump opens another window at its places', () => {
  const all = count(0, 10_000)
  const window = openWindow(read(all, 0, 100))
  const wanted = wantedPlaces({ first: 5_010, end: 5_030 }, 10_000)
  expect(wanted).toEqual({ first: 4_900, end: 5_100 })
  expect(isNear(window, wanted)).toBe(false)
  const range = rangeToRead<Row>(null, wanted)
  expect(range).toEqual({ from: 4_900, to: 5_100 })
  const there = openWindow(read(all, range.from, range.to))
  expect(idAt(there, 5_010)).toBe(5_010)
  expect(there.total).toBe(10_000)
})

test('scrolling back to the beginning moves nothing that is in sight, though rows before it are gone', () => {
  const all = count(0, 1000)
  let window = openWindow(read(all, 400, 600))
  const later = without(all, 10, 11, 12, 350)
  window = mergeRead(window, read(later, 300, 600))
  expect(idAt(window, 450)).toBe(450)
  expect(window.drift).toEqual({ head: 4, tail: 4 })
  expect(idAt(window, 349)).toBe(348)
  window = mergeRead(window, read(later, 0, 600))
  // Four places at the beginning had no rows: everything moves by four, and so does whoever looks at it.
  expect(window.start).toBe(0)
  expect(window.origin).toBe(-4)
  expect(window.total).toBe(996)
  expect(idAt(window, 446)).toBe(450)
})

test('what came before the first place while nobody looked there is not lost', () => {
  const all = count(0, 300)
  const newer = [900, 901, ...all]
  let window = openWindow(read(all, 100, 200))
  window = mergeRead(window, read(newer, 0, 200))
  expect(window.start).toBe(0)
  expect(window.origin).toBe(2)
  expect(idAt(window, 0)).toBe(900)
  expect(idAt(window, 102)).toBe(100)
})

test('rows that are far away are dropped, and their places stay', () => {
  const all = count(0, 1000)
  const window = mergeRead(openWindow(read(all, 0, 500)), read(without(all, 20), 0, 500))
  const trimmed = trimWindow(window, { first: 300, end: 500 })
  expect(trimmed.start).toBe(300)
  expect(trimmed.rows).toHaveLength(200)
  expect(trimmed.total).toBe(1000)
  const range = rangeToRead(trimmed, { first: 300, end: 600 })
  expect(range).toEqual({ from: 200, to: 600 })
  const next = mergeRead(trimmed, read(without(all, 20), range.from, range.to))
  expect([299, 300, 599].map((place) => idAt(next, place))).toEqual([299, 300, 599])
})
