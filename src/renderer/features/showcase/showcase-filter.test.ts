import { expect, test } from 'vitest'
import { showcaseFilter } from './showcase-filter.ts'

test('a filter survives a round trip through the URL', () => {
  const filter = { view: 'approved', q: 'a & b' } as const
  const path = showcaseFilter.path(filter, 7)
  expect(path).toBe('/content/showcase/7?view=approved&q=a+%26+b')
  expect(showcaseFilter.read(path.slice(path.indexOf('?')))).toEqual(filter)
})

test('defaults are left out of the URL', () => {
  expect(showcaseFilter.path({ view: 'pending', q: '' }, null)).toBe('/content/showcase')
  expect(showcaseFilter.read('')).toEqual({ view: 'pending', q: '' })
})

test('an unknown view means pending, and the search is cut to its maximum length', () => {
  const read = showcaseFilter.read(`?view=held&q=${'x'.repeat(150)}`)
  expect(read.view).toBe('pending')
  expect(read.q).toHaveLength(100)
})
