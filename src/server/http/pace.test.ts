import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

const seconds = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / 5 + 1 }, (_, index) => from + index * 5)

/** Looks every five seconds at a transfer of `rate` bytes a second; gives the second at which it is too slow. */
function judge(
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

test('a transfer that stops, or stays below 4 KiB/s, is too slow after 30 s', () => {
  expect([judge(0, 120), judge(4095, 120)]).toEqual([30, 30])
})

test('one at 4 KiB/s goes on', () => {
  expect(judge(4096, 3600)).toBeNull()
})

test('the other side is not to blame for what it is not waited for', () => {
  // Nothing to send or everything received at one look in each window.
  expect(judge(0, 3600, (second) => second % 30 !== 0)).toBeNull()
})

test('a fast beginning does not make up for a stop', () => {
  let now = 0
  const isTooSlow = createPace(30_000, () => now * 1000)
  const at: number[] = []
  for (const second of seconds(0, 90)) {
    now = second
    if (isTooSlow(second === 0 ? 0 : 10_000_000, true)) at.push(second)
  }
  expect(at[0]).toBe(60)
})
