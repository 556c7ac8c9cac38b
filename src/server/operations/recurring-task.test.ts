import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRecurringTask } from './recurring-task.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first run begins after firstMs, and each other one everyMs after the one before it ended', async () => {
  const began: number[] = []
  const start = Date.now()
  const task = createRecurringTask(
    async () => {
      began.push(Date.now() - start)
      await new Promise((resolve) => void setTimeout(resolve, 2500))
    },
    { firstMs: 100, everyMs: 1000 },
  )
  task.start()
  task.start()
  await vi.advanceTimersByTimeAsync(8000)
  expect(began).toEqual([100, 3600, 7100])
  const ended = task.end()
  await vi.advanceTimersByTimeAsync(10_000)
  await ended
  expect(began).toHaveLength(3)
})

test('end waits for the current run, after which none begins', async () => {
  let runs = 0
  let finish = (): void => {}
  const task = createRecurringTask(
    () => {
      runs += 1
      return new Promise((resolve) => void (finish = resolve))
    },
    { firstMs: 0, everyMs: 10 },
  )
  task.start()
  await vi.advanceTimersByTimeAsync(0)
  let hasEnded = false
  const ending = task.end().then(() => (hasEnded = true))
  await vi.advanceTimersByTimeAsync(100)
  expect(hasEnded).toBe(false)
  finish()
  await ending
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(1)
})
