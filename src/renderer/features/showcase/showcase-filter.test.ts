import { expect, test } from 'vitest'
import { readShowcaseFilter, showcasePath } from './showcase-filter.ts'

test('a filter is read from its own address as it was', () => {
  const filter = { view: 'approved', q: 'a & b' } as const
  const path = showcasePath(7, filter)
  expect(path).toBe('/content/showcase/7?view=approved&q=a+%26+b')
  expect(readShowcaseFilter(path.slice(path.indexOf('?')))).toEqual(filter)
})

test('what is usual is left out of the address', () => {
  expect(showcasePath(null, { view: 'pending', q: '' })).toBe('/content/showcase')
  expect(readShowcaseFilter('')).toEqual({ view: 'pending', q: '' })
})

test('an unknown view is the pending one, and a text is cut to what can be asked for', () => {
  const read = readShowcaseFilter(`?view=held&q=${'x'.repeat(150)}`)
  expect(read.view).toBe('pending')
  expect(read.q).toHaveLength(100)
})
