import { expect, test } from 'vitest'
import { asListed, byId, emptyWindow, newestFirst, pagesFor, trimWindow } from './paged-list.ts'
import { requiredPlaces, windowAt } from './paged-list.ts'
import type { ListWindow, RowsRead } from './paged-list.ts'

interface Row {
  id: number
  seen: number
}

/** Reads pages of 100 of the server's list. */
const read = (ids: readonly number[], from: number, to: number, seen = 1): RowsRead<Row>[] =>
  Array.from({ length: Math.ceil((to - from) / 100) }, (_, page) => ({
    from: from + page * 100,
    rows: ids.slice(from + page * 100, Math.min(to, from + (page + 1) * 100)).map((id) => ({ id, seen })),
    total: ids.length,
  }))
const count = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)
const idAt = ({ start, rows }: ListWindow<Row>, place: number) => rows[place - start]?.id
const idsOf = ({ rows }: ListWindow<Row>) => rows.map(({ id }) => id)
const without = (ids: readonly number[], ...gone: number[]) => ids.filter((id) => !gone.includes(id))
const openById = (pages: RowsRead<Row>[]): ListWindow<Row> =>
  byId.place(emptyWindow<Row>(pages[0]?.total ?? 0), pages)

test('a new row is not shown until requested, wherever the server lists it', () => {
  const window = openById(read([1, 2], 0, 100))
  expect(idsOf(byId.place(window, read([1, 2, 3], 0, 100)))).toEqual([1, 2])
  expect(idsOf(byId.place(window, read([3, 1, 2], 0, 100)))).toEqual([1, 2])
  expect(byId.place(window, read([1, 3, 2], 0, 100)).total).toBe(2)
})

test('a row that is no longer listed keeps its place, and the others are updated', () => {
  const window = openById(read([1, 2, 3], 0, 100))
  const next = byId.place(window, read([1, 3], 0, 100, 2))
  expect(next.rows).toEqual([
    { id: 1, seen: 2 },
    { id: 2, seen: 1 },
    { id: 3, seen: 2 },
  ])
  expect([...next.left]).toEqual([2])
  expect(next.total).toBe(3)
  expect([...byId.place(next, read([1, 2, 3], 0, 100)).left]).toEqual([])
})

test('the only row stays when it is decided', () => {
  const window = byId.place(openById(read([1], 0, 100)), read([], 0, 100))
  expect(idsOf(window)).toEqual([1])
  expect(window.total).toBe(1)
})

test('scrolling on after decisions shows every row once, including rows that moved up a page', () => {
  const all = count(0, 400)
  let window = openById(read(all, 0, 100))
  expect(window.total).toBe(400)
  const later = without(all, 3, 4, 5)
  window = byId.place(window, read(later, 0, 100))
  expect(idAt(window, 4)).toBe(4)
  expect(pagesFor(window, { first: 0, end: 200 }, byId.overlap)).toEqual([0, 100])
  window = byId.place(window, read(later, 0, 200))
  expect([99, 100, 101, 150].map((place) => idAt(window, place))).toEqual([99, 100, 101, 150])
  window = byId.place(window, read(later, 0, 400))
  expect(idsOf(window)).toEqual(all)
  expect(window.total).toBe(400)
})

test('a row that moved from one page to the next between two reads is shown once', () => {
  const all = count(0, 200)
  const [first] = read(all, 0, 100)
  const [second] = read([900, ...all], 100, 200)
  const window = openById([first, second].filter((page) => page !== undefined))
  expect(idsOf(window)).toEqual(count(0, 199))
})

test('places of rows that were decided elsewhere and never loaded are removed at the end', () => {
  const all = count(0, 250)
  const window = openById(read(all, 0, 100))
  const later = without(all, 200, 201, 202)
  const next = byId.place(window, read(later, 0, 300))
  expect(next.total).toBe(247)
  expect(next.rows).toHaveLength(247)
})

test('when every loaded row is decided, the following rows are still found', () => {
  const all = count(0, 150)
  const window = byId.place(openById(read(all, 0, 100)), read(all.slice(100), 0, 100))
  expect(idsOf(window)).toEqual(all)
  expect(window.left.size).toBe(100)
  expect(window.total).toBe(150)
})

test('a jump opens another window at its places', () => {
  const all = count(0, 10_000)
  const window = openById(read(all, 0, 100))
  const required = requiredPlaces({ first: 5_010, end: 5_030 }, 10_000)
  expect(required).toEqual({ first: 4_900, end: 5_100 })
  expect(windowAt(window, { first: 100, end: 200 })).toBe(window)
  const empty = windowAt(window, required)
  expect(pagesFor(empty, required, byId.overlap)).toEqual([4_900, 5_000])
  const there = byId.place(empty, read(all, 4_900, 5_100))
  expect(idAt(there, 5_010)).toBe(5_010)
  expect(there.total).toBe(10_000)
})

test('scrolling back to the start moves no visible row, even if rows before it are gone', () => {
  const all = count(0, 1000)
  const start = windowAt(emptyWindow<Row>(1000), { first: 400, end: 600 })
  let window = byId.place(start, read(all, 400, 600))
  const later = without(all, 10, 11, 12, 350)
  window = byId.place(window, read(later, 300, 600))
  expect(idAt(window, 450)).toBe(450)
  expect(window.drift).toEqual({ head: 4, tail: 4 })
  expect(idAt(window, 349)).toBe(348)
  window = byId.place(window, read(later, 0, 600))
  // Four places at the start had no rows: all places move by four, and the scroll position with them.
  expect(window.start).toBe(0)
  expect(window.origin).toBe(-4)
  expect(window.total).toBe(996)
  expect(idAt(window, 446)).toBe(450)
})

test('rows added before the first place while scrolled away from it are shown', () => {
  const all = count(0, 300)
  const newer = [900, 901, ...all]
  let window = byId.place(windowAt(emptyWindow<Row>(300), { first: 100, end: 200 }), read(all, 100, 200))
  window = byId.place(window, read(newer, 0, 200))
  expect(window.start).toBe(0)
  expect(window.origin).toBe(2)
  expect(idAt(window, 0)).toBe(900)
  expect(idAt(window, 102)).toBe(100)
})

test('rows far from the visible ones are dropped, and their places stay', () => {
  const all = count(0, 1000)
  const window = byId.place(openById(read(all, 0, 500)), read(without(all, 20), 0, 500))
  const trimmed = trimWindow(window, { first: 300, end: 500 })
  expect(trimmed.start).toBe(300)
  expect(trimmed.rows).toHaveLength(200)
  expect(trimmed.total).toBe(1000)
  const pages = pagesFor(trimmed, { first: 300, end: 600 }, byId.overlap)
  expect(pages).toEqual([200, 300, 400, 500])
  const next = byId.place(trimmed, read(without(all, 20), 200, 600))
  expect([299, 300, 599].map((place) => idAt(next, place))).toEqual([299, 300, 599])
})

/** A log of this many entries; number 1 is the oldest, and the newest is first. */
const log = (entries: number, from: number, to = from + 100): RowsRead<Row>[] =>
  read(
    count(0, entries).map((index) => entries - index),
    from,
    Math.min(entries, to),
  )
const openLog = (entries: number): ListWindow<Row> =>
  newestFirst.place(emptyWindow<Row>(entries), log(entries, 0))

test('newest first: new rows are left out and do not shift rows that are loaded later', () => {
  let window = newestFirst.place(openLog(250), log(253, 0))
  expect(idAt(window, 0)).toBe(250)
  expect(window.total).toBe(250)
  expect(pagesFor(window, { first: 0, end: 200 }, newestFirst.overlap)).toEqual([0, 100, 200])
  window = newestFirst.place(window, log(253, 100))
  expect(idsOf(window)).toEqual(count(0, 197).map((index) => 250 - index))
})

test('newest first: the end is found after it has moved to another page', () => {
  const required = { first: 200, end: 250 }
  const moved = windowAt(newestFirst.place(openLog(250), log(310, 0)), required)
  expect(pagesFor(moved, required, newestFirst.overlap)).toEqual([200, 300])
  const window = newestFirst.place(moved, log(310, 200, 310))
  expect(idAt(window, 249)).toBe(1)
  expect(window.total).toBe(250)
})

test('newest first: when a whole page is new, known rows stay and the next ones are found', () => {
  const window = newestFirst.place(openLog(250), log(420, 0))
  expect(idsOf(window)).toEqual(count(0, 100).map((index) => 250 - index))
  expect(pagesFor(window, { first: 0, end: 100 }, newestFirst.overlap)).toEqual([100, 200])
  expect(idAt(newestFirst.place(window, log(420, 100, 300)), 100)).toBe(150)
})

test('newest first: the total of each page determines the places of its rows', () => {
  const window = newestFirst.place(openLog(250), [...log(251, 0), ...log(252, 100)])
  expect(idsOf(window)).toEqual(count(0, 198).map((index) => 250 - index))
})

test('a live list follows every read', () => {
  const window = asListed.place(emptyWindow<Row>(2), read([1, 2], 0, 100))
  expect(idsOf(asListed.place(window, read([3, 1, 2], 0, 100)))).toEqual([3, 1, 2])
  expect(asListed.place(window, read([2], 0, 100)).total).toBe(1)
})
