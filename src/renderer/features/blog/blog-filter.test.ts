import { expect, test } from 'vitest'
import { blogFilter } from './blog-filter.ts'

test('the URL holds the whole filter, and none of it for all posts', () => {
  expect(blogFilter.path(blogFilter.defaults)).toBe('/content/blog')
  expect(blogFilter.read('')).toEqual({ state: null, q: '' })
  const filter = { state: 'draft', q: 'a & b' } as const
  const path = blogFilter.path(filter)
  expect(blogFilter.read(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(blogFilter.read('?state=gone&q=')).toEqual({ state: null, q: '' })
})
