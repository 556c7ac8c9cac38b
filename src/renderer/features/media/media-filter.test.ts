import { expect, test } from 'vitest'
import { mediaPath, readMediaFilter } from './media-filter.ts'

test('a filter is read from its own address as it was', () => {
  const filter = { use: 'unused', picture: 'ab'.repeat(32) } as const
  expect(readMediaFilter(mediaPath(filter).slice('/content/media'.length))).toEqual(filter)
  expect(mediaPath({ use: 'all', picture: null })).toBe('/content/media')
})

test('what is no digest opens no details', () => {
  expect(readMediaFilter('?use=any&picture=../x')).toEqual({ use: 'all', picture: null })
})
