import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPacedCalls } from './paced-calls.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Calls that take 100 ms each, with the times at which they began. */
const recordCalls = (pauseFactor: number) => {
  const begun: number[] = []
  const from = performance.now()
  const change = createPacedCalls(
    () => {
      begun.push(performance.now() - from)
      return new Promise((resolve) => setTimeout(resolve, 100))
    },
    () => pauseFactor,
  )
  return { begun, change }
}

describe('calls after changes', () => {
  it('begin at once, and again once after changes during a call and its pause', async () => {
    const { begun, change } = recordCalls(3)
    for (let count = 0; count < 3; count += 1) change('agents')
    await vi.advanceTimersByTimeAsync(1000)
    expect(begun).toEqual([0, 400])
  })

  it('take no more than their share of the time, however often there is a change', async () => {
    const { begun, change } = recordCalls(15)
    for (let passed = 0; passed < 5000; passed += 50) {
      change('agents')
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(begun).toEqual([0, 1600, 3200, 4800])
  })

  it('pause for 10 s at most', async () => {
    const { begun, change } = recordCalls(1000)
    change('agents')
    change('agents')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(begun).toEqual([0, 10_100])
  })

  it('of one key do not wait for another', async () => {
    const { begun, change } = recordCalls(15)
    change('agents')
    change('releases')
    await vi.advanceTimersByTimeAsync(50)
    expect(begun).toEqual([0, 0])
  })

  it('begin at once again after a pause without changes', async () => {
    const { begun, change } = recordCalls(15)
    change('agents')
    await vi.advanceTimersByTimeAsync(2000)
    change('agents')
    await vi.advanceTimersByTimeAsync(50)
    expect(begun).toEqual([0, 2000])
  })
})
