import { describe, expect, test } from 'vitest'
import {
  driftOf,
  emptyList,
  isInPlace,
  keepNear,
  newsOf,
  pagesAround,
  rowAt,
  settle,
  settleNewest,
  takePage,
} from './stable-list.ts'
import type { ListPage, StableList } from './stable-list.ts'

const size = 3
const shownBy = <Row>(list: StableList<Row>, name: (row: Row) => string): string =>
  Array.from({ length: list.total }, (_, place) => {
    const row = rowAt(list, place)
    return row === undefined ? '.' : name(row)
  }).join('')

describe('a list whose rows stay in place', () => {
  interface Row {
    name: string
    state: string
  }
  const rows = (names: string, state = 'running'): Row[] => [...names].map((name) => ({ name, state }))
  const take = (list: StableList<Row>, offset: number, page: ListPage<Row>): StableList<Row> =>
    takePage(list, offset, page, ({ name }) => name, size)
  const shown = (list: StableList<Row>): string => shownBy(list, ({ name }) => name)

  test('known rows keep their places and show their latest values', () => {
    const first = take(emptyList(), 0, { items: rows('abc'), total: 5 })
    const later = take(first, 0, { items: rows('cab', 'crashed'), total: 5 })
    expect(shown(later)).toBe('abc..')
    expect(rowAt(later, 0)?.state).toBe('crashed')
    expect(newsOf(later)).toEqual({ added: 0 })
    expect(shown(settle(later))).toBe('cab..')
    expect(newsOf(settle(later))).toBeNull()
  })

  test('new rows are not shown until requested, and removed rows keep their last state', () => {
    const first = take(emptyList(), 0, { items: rows('bc'), total: 2 })
    const later = take(first, 0, { items: rows('abd'), total: 3 })
    expect(shown(later)).toBe('bc')
    expect(newsOf(later)).toEqual({ added: 1 })
    expect(shown(settle(later))).toBe('abd')
  })

  test('a list that gets shorter and then long again is unchanged', () => {
    const first = take(emptyList(), 0, { items: rows('abc'), total: 3 })
    const shorter = take(first, 0, { items: rows('ac'), total: 2 })
    expect(newsOf(shorter)).toEqual({ added: -1 })
    expect(shown(settle(shorter))).toBe('ac')
    expect(newsOf(take(shorter, 0, { items: rows('abc'), total: 3 }))).toBeNull()
  })

  test('a page that is loaded later fills its places and is not reported as new', () => {
    const first = take(emptyList(), 0, { items: rows('abc'), total: 5 })
    const both = take(first, 3, { items: rows('de'), total: 5 })
    expect(shown(both)).toBe('abcde')
    expect(newsOf(both)).toBeNull()
  })

  test('a response from any offset fits the pages around it', () => {
    const opened = take(emptyList(), 2, { items: rows('cde'), total: 6 })
    expect(shown(opened)).toBe('..cde.')
    const both = take(opened, 0, { items: rows('abc'), total: 6 })
    expect(shown(both)).toBe('abcde.')
    expect(newsOf(both)).toBeNull()
  })

  test('while rows are being counted, the list is as long as the part that has been read', () => {
    const first = take(emptyList(), 0, { items: rows('abc'), total: null })
    expect(first.total).toBe(6)
    expect(newsOf(first)).toBeNull()
    const counted = take(first, 0, { items: rows('abc'), total: 40 })
    expect(counted.total).toBe(40)
    expect(newsOf(counted)).toBeNull()
  })

  test('rows far from the visible ones are dropped once many have been read', () => {
    let list = emptyList<Row>()
    for (let place = 0; place < 12_000; place += 3000) {
      const items = Array.from({ length: 3000 }, (_, index) => ({ name: String(place + index), state: '' }))
      list = keepNear(take(list, place, { items, total: 20_000 }), [place], 3000)
    }
    expect([0, 6999, 7000, 11_999].map((place) => rowAt(list, place)?.name)).toEqual([
      undefined,
      undefined,
      '7000',
      '11999',
    ])
    expect(list.total).toBe(20_000)
    expect(list.rows.size).toBe(5000)
    expect(newsOf(list)).toBeNull()
  })

  test('the pages that contain the visible rows are read', () => {
    expect(pagesAround(0, 2, 3)).toEqual([0])
    expect(pagesAround(8, 12, 3)).toEqual([6, 9, 12])
    expect(pagesAround(-4, 3, 3)).toEqual([0, 3])
  })
})

describe('a log with its newest rows first', () => {
  const read = (rows: string, offset: number): ListPage<string> => ({
    items: [...rows].slice(offset, offset + size),
    total: rows.length,
  })
  /** Reads a page of the server's `rows` into the list. */
  const readPage = (list: StableList<string>, rows: string, offset: number): StableList<string> => {
    const drift = driftOf(list)
    const page = read(rows, offset === 0 ? 0 : offset + drift)
    return isInPlace(list, offset, page, drift) ? takePage(list, offset, page, (row) => row, size) : list
  }
  const shown = (list: StableList<string>): string => shownBy(list, (row) => row)

  test('a page that is read after rows were added continues the list and repeats no row', () => {
    const opened = readPage(emptyList<string>(), 'efghij', 0)
    const later = readPage(readPage(opened, 'cdefghij', 0), 'cdefghij', 3)
    expect(shown(later)).toBe('efghij')
    expect(newsOf(later)).toEqual({ added: 2 })
  })

  test('a page is not shown if its count differs from that of the first page', () => {
    const opened = readPage(emptyList<string>(), 'efghij', 0)
    const early = readPage(opened, 'cdefghij', 3)
    expect(shown(early)).toBe('efg...')
    expect(shown(readPage(readPage(early, 'cdefghij', 0), 'cdefghij', 3))).toBe('efghij')
  })

  test('after new rows are shown, the other pages are read at their current offsets', () => {
    const all = readPage(readPage(emptyList<string>(), 'efghij', 0), 'efghij', 3)
    const settled = settleNewest(readPage(all, 'cdefghij', 0), size)
    expect(shown(settled)).toBe('cde.....')
    expect(driftOf(settled)).toBe(0)
    expect(shown(readPage(settled, 'cdefghij', 3))).toBe('cdefgh..')
  })
})
