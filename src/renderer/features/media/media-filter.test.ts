import { expect, test } from 'vitest'
import { mediaFilter } from './media-filter.ts'

test('a filter survives a round trip through the URL', () => {
  const filter = { use: 'unused', image: 'ab'.repeat(32) } as const
  expect(mediaFilter.read(mediaFilter.path(filter).slice('/content/media'.length))).toEqual(filter)
  expect(mediaFilter.path({ use: 'all', image: null })).toBe('/content/media')
})

test('an invalid digest opens no details', () => {
  expect(mediaFilter.read('?use=any&image=../x')).toEqual({ use: 'all', image: null })
})
