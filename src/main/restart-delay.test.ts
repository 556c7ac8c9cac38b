import { expect, test } from 'vitest'
import { createRestartDelay } from './restart-delay.ts'

test('the delay doubles from one second to 30 seconds, and starts over after a reset', () => {
  const delay = createRestartDelay()
  expect(Array.from({ length: 7 }, () => delay.next())).toEqual([1, 2, 4, 8, 16, 30, 30].map((s) => s * 1000))
  delay.reset()
  expect(delay.next()).toBe(1000)
})
