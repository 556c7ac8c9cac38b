import { expect, test } from 'vitest'
import { readFilter, reviewPath, withView } from './queue-filter.ts'

test('the URL holds the whole filter, without the defaults', () => {
  const defaults = readFilter('')
  expect(defaults).toEqual({ view: 'pending', sort: 'waiting', status: null, thread: null, q: '' })
  expect(reviewPath(null, defaults)).toBe('/review')
  const filter = { view: 'decided', sort: 'name', status: 'revoked', thread: null, q: 'csv & co' } as const
  const path = reviewPath(7, filter)
  expect(path).toBe('/review/7?view=decided&sort=name&status=revoked&q=csv+%26+co')
  expect(readFilter(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(reviewPath(null, { ...defaults, thread: 'asked' })).toBe('/review?thread=asked')
  expect(readFilter('?thread=asked').thread).toBe('asked')
  expect(readFilter('?view=all&thread=asked').thread).toBeNull()
})

test('invalid query parameters fall back to the defaults', () => {
  expect(readFilter('?view=everything&sort=size&status=lost')).toEqual(readFilter(''))
  expect(readFilter('?status=revoked').status).toBeNull()
})

test('switching the view resets the sort and keeps the search text', () => {
  const filter = { view: 'pending', sort: 'name', status: null, thread: 'asked', q: 'csv' } as const
  expect(withView(filter, 'decided')).toEqual({
    view: 'decided',
    sort: 'newest',
    status: null,
    thread: null,
    q: 'csv',
  })
})
