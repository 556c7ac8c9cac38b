import { expect, test } from 'vitest'
import { createHourlyLimit } from './upload-rate.rules.ts'

test('the window slides: another one is allowed when the oldest counted one is an hour old', () => {
  const limit = createHourlyLimit(() => 2)
  const minute = 60_000
  expect([limit.count('a', 0), limit.count('a', 10 * minute), limit.count('a', 20 * minute)]).toEqual([
    0, 0, 2400,
  ])
  expect(limit.count('b', 20 * minute)).toBe(0)
  // Refused ones are not counted.
  expect(limit.count('a', 60 * minute)).toBe(0)
  expect(limit.count('a', 61 * minute)).toBe(540)
})

test('a changed limit applies at once', () => {
  let allowed = 1
  const limit = createHourlyLimit(() => allowed)
  expect([limit.count('a', 0), limit.count('a', 1)]).toEqual([0, 3600])
  allowed = 2
  expect(limit.count('a', 2)).toBe(0)
  allowed = 0
  expect(limit.count('b', 2)).toBe(3600)
})
