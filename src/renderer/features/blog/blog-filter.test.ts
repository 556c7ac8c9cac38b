import { expect, test } from 'vitest'
import { allPosts, blogPath, readBlogFilter } from './blog-filter.ts'

test('the URL holds the whole filter, and none of it for all posts', () => {
  expect(blogPath(allPosts)).toBe('/content/blog')
  expect(readBlogFilter('')).toEqual(allPosts)
  const filter = { state: 'draft', q: 'a & b' } as const
  const path = blogPath(filter)
  expect(readBlogFilter(path.slice(path.indexOf('?')))).toEqual(filter)
  expect(readBlogFilter('?state=gone&q=')).toEqual(allPosts)
})
