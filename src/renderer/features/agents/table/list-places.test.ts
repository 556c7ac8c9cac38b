import { expect, test } from 'vitest'
import { emptyPlaces, newsOf, pagesAround, rowAt, settle, takePage } from './list-places.ts'
import type { ListPage, ListPlaces } from './list-places.ts'

interface Row {
  name: string
  state: string
}

const rows = (names: string, state = 'running'): Row[] => [...names].map((name) => ({ name, state }))
const take = (places: ListPlaces<Row>, offset: number, page: ListPage<Row>): ListPlaces<Row> =>
  takePage(places, offset, page, ({ name }) => name, 3)
const shown = (places: ListPlaces<Row>): string =>
  Array.from({ length: places.total }, (_, place) => rowAt(places, place, 3)?.name ?? '.').join('')

test('rows that are in place stay there with their newest values', () => {
  const first = take(emptyPlaces(), 0, { items: rows('abc'), total: 5 })
  const later = take(first, 0, { items: rows('cab', 'crashed'), total: 5 })
  expect(shown(later)).toBe('abc..')
  expect(rowAt(later, 0, 3)?.state).toBe('crashed')
  expect(newsOf(later)).toEqual({ added: 0 })
  expect(shown(settle(later))).toBe('cab..')
  expect(newsOf(settle(later))).toBeNull()
})

test('new rows wait until they are asked for, and rows that are gone stay as they were last seen', () => {
  const first = take(emptyPlaces(), 0, { items: rows('bc'), total: 2 })
  const later = take(first, 0, { items: rows('abd'), total: 3 })
  expect(shown(later)).toBe('bc')
  expect(newsOf(later)).toEqual({ added: 1 })
  expect(shown(settle(later))).toBe('abd')
})

test('a page that comes later takes its place, and is no news', () => {
  const first = take(emptyPlaces(), 0, { items: rows('abc'), total: 5 })
  const both = take(first, 3, { items: rows('de'), total: 5 })
  expect(shown(both)).toBe('abcde')
  expect(newsOf(both)).toBeNull()
})

test('while rows are counted the list goes on as far as it has been read', () => {
  const first = take(emptyPlaces(), 0, { items: rows('abc'), total: null })
  expect(first.total).toBe(6)
  expect(newsOf(first)).toBeNull()
  const counted = take(first, 0, { items: rows('abc'), total: 40 })
  expect(counted.total).toBe(40)
  expect(newsOf(counted)).toBeNull()
})

test('the pages around what is in sight are read, and the first one', () => {
  expect(pagesAround(0, 2, 3)).toEqual([0])
  expect(pagesAround(8, 12, 3)).toEqual([0, 6, 9, 12])
})
