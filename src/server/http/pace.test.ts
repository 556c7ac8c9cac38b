import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

const seconds = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / 5 + 1 }, (_, index) => from + index * 5)

/** Samples a transfer of `rate` bytes per second every five seconds; returns the second at which it is too slow. */
function tooSlowAt(
  rate: number,
  until: number,
  isAwaited: (second: number) => boolean = () => true,
): number | null {
  let now = 0
  const isTooSlow = createPace(30_000, () => now * 1000)
  for (const second of seconds(0, until)) {
    now = second
    if (isTooSlow(rate * second, isAwaited(second))) return second
  }
  return null
}

test('a transfer that stalls or stays below 4 KiB/s is too slow after 30 s', () => {
  expect([tooSlowAt(0, 120), tooSlowAt(4095, 120)]).toEqual([30, 30])
})

test('a transfer at 4 KiB/s may continue', () => {
  expect(tooSlowAt(4096, 3600)).toBeNull()
})

test('time during which nothing is expected from the other side does not count', () => {
  // Once per window there is nothing to send, or everything has been received.
  expect(tooSlowAt(0, 3600, (second) => second % 30 !== 0)).toBeNull()
})

test('a fast start does not make up for a stall', () => {
  let now = 0
  const isTooSlow = createPace(30_000, () => now * 1000)
  const at: number[] = []
  for (const second of seconds(0, 90)) {
    now = second
    if (isTooSlow(second === 0 ? 0 : 10_000_000, true)) at.push(second)
  }
  expect(at[0]).toBe(60)
})
