import { expect, test } from 'vitest'
import { driftOf, isInPlace, settleNewest } from './list-drift.ts'
import { emptyPlaces, newsOf, rowAt, takePage } from './list-places.ts'
import type { ListPage, ListPlaces } from './list-places.ts'

const size = 3
const read = (rows: string, offset: number): ListPage<string> => ({
  items: [...rows].slice(offset, offset + size),
  total: rows.length,
})

/** As the list takes a page of what the server holds. */
function look(places: ListPlaces<string>, rows: string, offset: number): ListPlaces<string> {
  const drift = driftOf(places)
  const page = read(rows, offset === 0 ? 0 : offset + drift)
  return isInPlace(places, offset, page, drift) ? takePage(places, offset, page, (row) => row, size) : places
}

const shown = (places: ListPlaces<string>): string =>
  Array.from({ length: places.total }, (_, place) => rowAt(places, place, size) ?? '.').join('')

test('a page that is read after rows came holds what follows, and no row twice', () => {
  const opened = look(emptyPlaces<string>(), 'efghij', 0)
  const later = look(look(opened, 'cdefghij', 0), 'cdefghij', 3)
  expect(shown(later)).toBe('efghij')
  expect(newsOf(later)).toEqual({ added: 2 })
})

test('a page from before or after the first one was counted waits until both are of the same time', () => {
  const opened = look(emptyPlaces<string>(), 'efghij', 0)
  const early = look(opened, 'cdefghij', 3)
  expect(shown(early)).toBe('efg...')
  expect(shown(look(look(early, 'cdefghij', 0), 'cdefghij', 3))).toBe('efghij')
})

test('when what is new is shown, the other pages are read where they are now', () => {
  const all = look(look(emptyPlaces<string>(), 'efghij', 0), 'efghij', 3)
  const settled = settleNewest(look(all, 'cdefghij', 0))
  expect(shown(settled)).toBe('cde.....')
  expect(driftOf(settled)).toBe(0)
  expect(shown(look(settled, 'cdefghij', 3))).toBe('cdefgh..')
})
