import { expect, test } from 'vitest'
import { mediaPath, readMediaFilter } from './media-filter.ts'

test('a filter survives a round trip through the URL', () => {
  const filter = { use: 'unused', picture: 'ab'.repeat(32) } as const
  expect(readMediaFilter(mediaPath(filter).slice('/content/media'.length))).toEqual(filter)
  expect(mediaPath({ use: 'all', picture: null })).toBe('/content/media')
})

test('an invalid digest opens no details', () => {
  expect(readMediaFilter('?use=any&picture=../x')).toEqual({ use: 'all', picture: null })
})
