import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLease, now } from './lease.ts'

describe('a lease', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is valid from the moment of the look for its time, and again after the next look', () => {
    const lease = createLease(3000)
    expect(lease.isValid()).toBe(false)
    lease.renew(now())
    vi.advanceTimersByTime(2999)
    expect(lease.isValid()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(lease.isValid()).toBe(false)
    lease.renew(now())
    expect(lease.isValid()).toBe(true)
  })

  test('ends while the machine is suspended, when only the clock on the wall goes on', () => {
    const lease = createLease(3000, now())
    vi.setSystemTime(Date.now() + 3000)
    expect(lease.isValid()).toBe(false)
  })

  test('ends in time when the clock is set back', () => {
    const lease = createLease(3000, now())
    vi.setSystemTime(Date.now() - 86_400_000)
    vi.advanceTimersByTime(3000)
    expect(lease.isValid()).toBe(false)
  })
})
