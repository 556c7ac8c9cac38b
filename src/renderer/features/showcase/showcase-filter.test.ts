import { expect, test } from 'vitest'
import { readShowcaseFilter, showcasePath } from './showcase-filter.ts'

test('a filter survives a round trip through the URL', () => {
  const filter = { view: 'approved', q: 'a & b' } as const
  const path = showcasePath(7, filter)
  expect(path).toBe('/content/showcase/7?view=approved&q=a+%26+b')
  expect(readShowcaseFilter(path.slice(path.indexOf('?')))).toEqual(filter)
})

test('defaults are left out of the URL', () => {
  expect(showcasePath(null, { view: 'pending', q: '' })).toBe('/content/showcase')
  expect(readShowcaseFilter('')).toEqual({ view: 'pending', q: '' })
})

test('an unknown view means pending, and the search is cut to its maximum length', () => {
  const read = readShowcaseFilter(`?view=held&q=${'x'.repeat(150)}`)
  expect(read.view).toBe('pending')
  expect(read.q).toHaveLength(100)
})
