import { expect, test } from 'vitest'
import { versionQuery } from './blog.api.ts'

test('a version that was overwritten is fetched again', () => {
  const version = { id: 7, savedAt: '2026-11-22T10:05:00.000Z' }
  const later = { ...version, savedAt: '2026-11-22T10:06:00.000Z' }
  expect(versionQuery(1, later).queryKey).not.toEqual(versionQuery(1, version).queryKey)
  expect(versionQuery(1, { ...version }).queryKey).toEqual(versionQuery(1, version).queryKey)
})
