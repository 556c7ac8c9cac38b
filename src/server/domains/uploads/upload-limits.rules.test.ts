import { expect, test } from 'vitest'
import { createConcurrencyLimit, createHourlyLimit, networkOf } from './upload-limits.rules.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0000:0000:1:2:3:4', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('the network of %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('of each key so many are held at once, and each is freed once', () => {
  const limit = createConcurrencyLimit(2)
  const first = limit.take('a')
  limit.take('a')
  expect(limit.take('a')).toBeNull()
  expect(limit.take('b')).not.toBeNull()
  first?.()
  first?.()
  expect([limit.take('a') === null, limit.take('a') === null]).toEqual([false, true])
})

test('an hour rolls: there is room again when the oldest that counts is an hour old', () => {
  const limit = createHourlyLimit(() => 2)
  const minute = 60_000
  expect([limit.count('a', 0), limit.count('a', 10 * minute), limit.count('a', 20 * minute)]).toEqual([
    0, 0, 2400,
  ])
  expect(limit.count('b', 20 * minute)).toBe(0)
  // What was refused does not count.
  expect(limit.count('a', 60 * minute)).toBe(0)
  expect(limit.count('a', 61 * minute)).toBe(540)
})

test('the limit is the one of this moment', () => {
  let allowed = 1
  const limit = createHourlyLimit(() => allowed)
  expect([limit.count('a', 0), limit.count('a', 1)]).toEqual([0, 3600])
  allowed = 2
  expect(limit.count('a', 2)).toBe(0)
  allowed = 0
  expect(limit.count('b', 2)).toBe(3600)
})
