import { expect, test } from 'vitest'
import { asListed, byKey, emptyWindow, idOf, newestFirst, newsOf, pagesFor } from './paged-list.ts'
import { readsOf, requiredPlaces, trimWindow, windowAt } from './paged-list.ts'
import type { ListWindow, Placement, RowsRead } from './paged-list.ts'

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
type Pages = readonly RowsRead<Row>[]
const placed = (placement: Placement, window: ListWindow<Row>, pages: Pages, first = 0) =>
  placement.place(window, pages, idOf, first)
const idAt = ({ start, rows }: ListWindow<Row>, place: number) => rows[place - start]?.id
const idsOf = ({ rows }: ListWindow<Row>) => rows.map(({ id }) => id)
const without = (ids: readonly number[], ...gone: number[]) => ids.filter((id) => !gone.includes(id))
const openById = (pages: RowsRead<Row>[]): ListWindow<Row> =>
  placed(byKey, emptyWindow<Row>(pages[0]?.total ?? 0), pages)

test('a new row is not shown until requested, wherever the server lists it', () => {
  const window = openById(read([1, 2], 0, 100))
  expect(idsOf(placed(byKey, window, read([1, 2, 3], 0, 100)))).toEqual([1, 2])
  expect(idsOf(placed(byKey, window, read([3, 1, 2], 0, 100)))).toEqual([1, 2])
  expect(placed(byKey, window, read([1, 3, 2], 0, 100)).total).toBe(2)
})

test('a row that is no longer listed keeps its place, and the others are updated', () => {
  const window = openById(read([1, 2, 3], 0, 100))
  const next = placed(byKey, window, read([1, 3], 0, 100, 2))
  expect(next.rows).toEqual([
    { id: 1, seen: 2 },
    { id: 2, seen: 1 },
    { id: 3, seen: 2 },
  ])
  expect([...next.left]).toEqual([2])
  expect(next.total).toBe(3)
  expect([...placed(byKey, next, read([1, 2, 3], 0, 100)).left]).toEqual([])
})

test('the only row stays when it is decided', () => {
  const window = placed(byKey, openById(read([1], 0, 100)), read([], 0, 100))
  expect(idsOf(window)).toEqual([1])
  expect(window.total).toBe(1)
})

test('scrolling on after decisions shows every row once, including rows that moved up a page', () => {
  const all = count(0, 400)
  let window = openById(read(all, 0, 100))
  expect(window.total).toBe(400)
  const later = without(all, 3, 4, 5)
  window = placed(byKey, window, read(later, 0, 100))
  expect(idAt(window, 4)).toBe(4)
  expect(pagesFor(window, { first: 0, end: 200 }, byKey.overlap, 100)).toEqual([0, 100])
  window = placed(byKey, window, read(later, 0, 200))
  expect([99, 100, 101, 150].map((place) => idAt(window, place))).toEqual([99, 100, 101, 150])
  window = placed(byKey, window, read(later, 0, 400))
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
  const next = placed(byKey, window, read(later, 0, 300))
  expect(next.total).toBe(247)
  expect(next.rows).toHaveLength(247)
})

test('when every loaded row is decided, the following rows are still found', () => {
  const all = count(0, 150)
  const window = placed(byKey, openById(read(all, 0, 100)), read(all.slice(100), 0, 100))
  expect(idsOf(window)).toEqual(all)
  expect(window.left.size).toBe(100)
  expect(window.total).toBe(150)
})

test('a jump opens another window at its places', () => {
  const all = count(0, 10_000)
  const window = openById(read(all, 0, 100))
  const required = requiredPlaces({ first: 5_010, end: 5_030 }, 10_000, 100)
  expect(required).toEqual({ first: 4_900, end: 5_100 })
  expect(windowAt(window, { first: 100, end: 200 })).toBe(window)
  const empty = windowAt(window, required)
  expect(pagesFor(empty, required, byKey.overlap, 100)).toEqual([4_900, 5_000])
  const there = placed(byKey, empty, read(all, 4_900, 5_100))
  expect(idAt(there, 5_010)).toBe(5_010)
  expect(there.total).toBe(10_000)
})

test('scrolling back to the start moves no visible row, even if rows before it are gone', () => {
  const all = count(0, 1000)
  const start = windowAt(emptyWindow<Row>(1000), { first: 400, end: 600 })
  let window = placed(byKey, start, read(all, 400, 600))
  const later = without(all, 10, 11, 12, 350)
  window = placed(byKey, window, read(later, 300, 600))
  expect(idAt(window, 450)).toBe(450)
  expect(window.drift).toEqual({ head: 4, tail: 4 })
  expect(idAt(window, 349)).toBe(348)
  window = placed(byKey, window, read(later, 0, 600))
  // Four places at the start had no rows: all places move by four, and the scroll position with them.
  expect(window.start).toBe(0)
  expect(window.origin).toBe(-4)
  expect(window.total).toBe(996)
  expect(idAt(window, 446)).toBe(450)
})

test('a jump to the start after rows before the window are gone leaves no place empty', () => {
  const all = count(0, 1000)
  const later = without(all, 1, 2, 3)
  const opened = placed(
    byKey,
    windowAt(emptyWindow<Row>(1000), { first: 400, end: 600 }),
    read(all, 400, 600),
  )
  const far = trimWindow(placed(byKey, opened, read(later, 300, 600), 400), { first: 400, end: 600 })
  expect(idAt(far, 500)).toBe(500)
  const start = placed(byKey, windowAt(far, { first: 0, end: 200 }), read(later, 0, 200))
  expect([start.start, start.origin, start.total]).toEqual([0, -3, 997])
  expect(idAt(start, 97)).toBe(100)
})

test('rows added before the first place while scrolled away from it are shown', () => {
  const all = count(0, 300)
  const newer = [900, 901, ...all]
  let window = placed(byKey, windowAt(emptyWindow<Row>(300), { first: 100, end: 200 }), read(all, 100, 200))
  window = placed(byKey, window, read(newer, 0, 200))
  expect(window.start).toBe(0)
  expect(window.origin).toBe(2)
  expect(idAt(window, 0)).toBe(900)
  expect(idAt(window, 102)).toBe(100)
})

test('rows far from the visible ones are dropped, and their places stay', () => {
  const all = count(0, 1000)
  const window = placed(byKey, openById(read(all, 0, 500)), read(without(all, 20), 0, 500))
  const trimmed = trimWindow(window, { first: 300, end: 500 })
  expect(trimmed.start).toBe(300)
  expect(trimmed.rows).toHaveLength(200)
  expect(trimmed.total).toBe(1000)
  const pages = pagesFor(trimmed, { first: 300, end: 600 }, byKey.overlap, 100)
  expect(pages).toEqual([200, 300, 400, 500])
  const next = placed(byKey, trimmed, read(without(all, 20), 200, 600))
  expect([299, 300, 599].map((place) => idAt(next, place))).toEqual([299, 300, 599])
})

test('a dropped row that is no longer listed keeps its place while rows far after it are read again', () => {
  const all = count(0, 200)
  const later = without(all, 2)
  const required = { first: 100, end: 200 }
  const opened = placed(byKey, openById(read(all, 0, 100)), read(later, 0, 100))
  let window = trimWindow(placed(byKey, opened, read(later, 0, 200), required.first), required)
  for (let times = 0; times < 2; times += 1) {
    expect(pagesFor(window, required, byKey.overlap, 100)).toEqual([0, 100])
    window = trimWindow(placed(byKey, window, read(later, 0, 200), required.first), required)
    expect(idAt(window, 150)).toBe(150)
    expect(window.total).toBe(200)
  }
  // The start of the list has one place too many only once it is shown.
  const start = placed(byKey, window, read(later, 0, 200), 0)
  expect([start.start, start.origin, start.total]).toEqual([0, -1, 199])
})

/** A log of this many entries; number 1 is the oldest, and the newest is first. */
const log = (entries: number, from: number, to = from + 100): RowsRead<Row>[] =>
  read(
    count(0, entries).map((index) => entries - index),
    from,
    Math.min(entries, to),
  )
const openLog = (entries: number): ListWindow<Row> =>
  placed(newestFirst, emptyWindow<Row>(entries), log(entries, 0))

test('newest first: new rows are left out and do not shift rows that are loaded later', () => {
  let window = placed(newestFirst, openLog(250), log(253, 0))
  expect(idAt(window, 0)).toBe(250)
  expect(window.total).toBe(250)
  expect(pagesFor(window, { first: 0, end: 200 }, newestFirst.overlap, 100)).toEqual([0, 100, 200])
  window = placed(newestFirst, window, log(253, 100))
  expect(idsOf(window)).toEqual(count(0, 197).map((index) => 250 - index))
})

test('newest first: the end is found after it has moved to another page', () => {
  const required = { first: 200, end: 250 }
  const moved = windowAt(placed(newestFirst, openLog(250), log(310, 0)), required)
  expect(pagesFor(moved, required, newestFirst.overlap, 100)).toEqual([200, 300])
  const window = placed(newestFirst, moved, log(310, 200, 310))
  expect(idAt(window, 249)).toBe(1)
  expect(window.total).toBe(250)
})

test('newest first: when a whole page is new, known rows stay and the next ones are found', () => {
  const window = placed(newestFirst, openLog(250), log(420, 0))
  expect(idsOf(window)).toEqual(count(0, 100).map((index) => 250 - index))
  expect(pagesFor(window, { first: 0, end: 100 }, newestFirst.overlap, 100)).toEqual([100, 200])
  expect(idAt(placed(newestFirst, window, log(420, 100, 300)), 100)).toBe(150)
})

test('newest first: the total of each page determines the places of its rows', () => {
  const window = placed(newestFirst, openLog(250), [...log(251, 0), ...log(252, 100)])
  expect(idsOf(window)).toEqual(count(0, 198).map((index) => 250 - index))
})

test('a live list follows every read', () => {
  const window = placed(asListed, emptyWindow<Row>(2), read([1, 2], 0, 100))
  expect(idsOf(placed(asListed, window, read([3, 1, 2], 0, 100)))).toEqual([3, 1, 2])
  expect(placed(asListed, window, read([2], 0, 100)).total).toBe(1)
})

const openAt = (pages: Pages): ListWindow<Row> => placed(byKey, emptyWindow(pages[0]?.total ?? 0), pages)
/** The rows with these ids as a page, as often as they were seen. */
const page = (ids: readonly number[], { from = 0, total = ids.length, seen = 1 } = {}): RowsRead<Row>[] => [
  { from, rows: ids.map((id) => ({ id, seen })), total },
]

test('rows in another order keep their places, show their latest values, and are news', () => {
  const later = page([3, 1, 2], { total: 5, seen: 2 })
  const window = placed(byKey, openAt(page([1, 2, 3], { total: 5 })), later)
  expect(window.rows.map(({ id, seen }) => [id, seen])).toEqual([
    [1, 2],
    [2, 2],
    [3, 2],
  ])
  expect(newsOf(window, later, idOf)).toEqual({ added: 0 })
  expect(idsOf(openAt(later))).toEqual([3, 1, 2])
  expect(newsOf(openAt(later), later, idOf)).toBeNull()
})

test('new rows are counted as news until they are shown', () => {
  const later = page([1, 2, 4])
  const window = placed(byKey, openAt(page([2, 3])), later)
  expect(idsOf(window)).toEqual([2, 3])
  expect(newsOf(window, later, idOf)).toEqual({ added: 1 })
  expect(idsOf(openAt(later))).toEqual([1, 2, 4])
})

test('a list that gets shorter and then long again is unchanged', () => {
  const shorter = page([1, 3])
  const window = placed(byKey, openAt(page([1, 2, 3])), shorter)
  expect(newsOf(window, shorter, idOf)).toEqual({ added: -1 })
  expect(idsOf(openAt(shorter))).toEqual([1, 3])
  const again = page([1, 2, 3])
  expect(newsOf(placed(byKey, window, again), again, idOf)).toBeNull()
})

test('rows that are loaded later fill their places and are no news, from any offset', () => {
  const all = count(0, 400)
  const later = read(all, 0, 200)
  const window = placed(byKey, openAt(read(all, 0, 100)), later)
  expect(idsOf(window)).toEqual(count(0, 200))
  expect(newsOf(window, later, idOf)).toBeNull()
  const opened = openAt([{ from: 130, rows: count(130, 230).map((id) => ({ id, seen: 1 })), total: 400 }])
  expect([129, 130, 229].map((place) => idAt(opened, place))).toEqual([undefined, 130, 229])
  const around = placed(byKey, opened, read(all, 100, 300))
  expect(around.start).toBe(100)
  expect(idsOf(around)).toEqual(count(100, 300))
  expect(newsOf(around, read(all, 100, 300), idOf)).toBeNull()
})

test('rows that move between pages are shown once, and hide no others', () => {
  const all = count(0, 400)
  const window = openAt(read(all, 0, 200))
  // Row 10 moves behind row 249, and row 190 to the start.
  const moved = without(all, 10, 190)
  moved.splice(248, 0, 10)
  moved.unshift(190)
  const next = placed(byKey, window, read(moved, 0, 400))
  expect(idsOf(next)).toEqual(all)
  expect(next.total).toBe(400)
  expect([...next.left]).toEqual([])
  expect(newsOf(next, read(moved, 0, 400), idOf)).toEqual({ added: 0 })
})

test('places after the end are not counted', () => {
  const window = openAt(page([], { from: 900, total: 100 }))
  expect(window.total).toBe(100)
  expect(idsOf(window)).toEqual([])
})

test('newest first: rows added since are news, and after they are shown, other pages continue them', () => {
  const opened = openLog(250)
  expect(newsOf(placed(newestFirst, opened, log(252, 0)), log(252, 0), idOf)).toEqual({ added: 2 })
  const shown = placed(newestFirst, emptyWindow<Row>(252), log(252, 0))
  expect(idAt(shown, 0)).toBe(252)
  expect(shown.drift).toEqual({ head: 0, tail: 0 })
  expect(idAt(placed(newestFirst, shown, log(252, 100)), 100)).toBe(152)
})

test('while rows are being counted, the list is as long as the part that has been read', () => {
  const pageOf = (items: readonly number[], total: number | null) => ({ items, total })
  expect(readsOf([pageOf([1, 2, 3], null)], [0], 3)).toMatchObject({ total: 6, isCounted: false })
  const two = readsOf([pageOf([1, 2, 3], null), pageOf([4, 5], null)], [0, 3], 3)
  expect(two).toMatchObject({ total: 5, isCounted: false })
  expect(two.reads.map(({ total }) => total)).toEqual([5, 5])
  expect(readsOf([pageOf([1, 2, 3], 40)], [0], 3)).toMatchObject({ total: 40, isCounted: true })
})
