import { expect, test } from 'vitest'
import { nextQuery } from './list-page.ts'

test('no page is linked whose offset would be refused', () => {
  expect(nextQuery({ offset: 99_950 }, 50, true)).toBe('?offset=100000')
  expect(nextQuery({ offset: 99_951 }, 50, true)).toBeNull()
})

test('filters are encoded, and empty ones left out', () => {
  expect(nextQuery({ q: '"a" & >b', category: undefined, tag: '', offset: 7 }, 20, true)).toBe(
    '?q=%22a%22+%26+%3Eb&offset=27',
  )
})
