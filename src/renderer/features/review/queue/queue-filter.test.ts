import { expect, test } from 'vitest'
import { readFilter, reviewPath, withView } from './queue-filter.ts'

test('an address holds the whole filter, and the usual is left out', () => {
  const usual = readFilter('')
  expect(usual).toEqual({ view: 'pending', sort: 'waiting', status: null, q: '' })
  expect(reviewPath(null, usual)).toBe('/review')
  const filter = { view: 'decided', sort: 'name', status: 'revoked', q: 'csv & co' } as const
  const path = reviewPath(7, filter)
  expect(path).toBe('/review/7?view=decided&sort=name&status=revoked&q=csv+%26+co')
  expect(readFilter(path.slice(path.indexOf('?')))).toEqual(filter)
})

test('what an address cannot mean is read as the usual', () => {
  expect(readFilter('?view=everything&sort=size&status=lost')).toEqual(readFilter(''))
  expect(readFilter('?status=revoked').status).toBeNull()
})

test('another view begins with its own sort and keeps the text', () => {
  const filter = { view: 'pending', sort: 'name', status: null, q: 'csv' } as const
  expect(withView(filter, 'decided')).toEqual({ view: 'decided', sort: 'newest', status: null, q: 'csv' })
})
