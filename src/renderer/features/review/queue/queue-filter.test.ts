import { expect, test } from 'vitest'
import { queueFilter, withView } from './queue-filter.ts'

test('the URL holds the whole filter, without the defaults', () => {
  const defaults = queueFilter.read('')
  expect(defaults).toEqual({ view: 'pending', sort: 'waiting', status: null, thread: null, q: '' })
  expect(queueFilter.path(defaults)).toBe('/review')
  const filter = { view: 'decided', sort: 'name', status: 'revoked', thread: null, q: 'csv & co' } as const
  const path = queueFilter.path(filter, 7)
  expect(path).toBe('/review/7?view=decided&sort=name&status=revoked&q=csv+%26+co')
  expect(queueFilter.read(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(queueFilter.path({ ...defaults, thread: 'asked' })).toBe('/review?thread=asked')
  expect(queueFilter.read('?thread=asked').thread).toBe('asked')
  expect(queueFilter.read('?view=all&thread=asked').thread).toBeNull()
})

test('invalid query parameters fall back to the defaults', () => {
  expect(queueFilter.read('?view=everything&sort=size&status=lost')).toEqual(queueFilter.read(''))
  expect(queueFilter.read('?status=revoked').status).toBeNull()
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
